import { randomBytes } from 'node:crypto'
import { access, constants } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type Config, isEnvFileIgnored } from '../../base/config.ts'
import { isLoopbackUrl } from '../../base/settings.ts'
import { readFreeBytes } from '../../base/system/free-bytes.ts'
import { isPublicAddress } from '../../infrastructure/images/link-guard.ts'
import { publicAddress } from '../../infrastructure/storage/s3-address.ts'
import type { Storage } from '../../infrastructure/storage/storage.ts'
import { areDemoUsersAllowed, createDemoUserSearch } from '../auth/demo-users.ts'
import { IS_CLAIM_LIVE } from '../requests/live-claim.ts'
import { checkDatabase } from './check-database.ts'
import type { OperationsDeps } from './deps.ts'
import { type Checks, describeError, fail, listSome, ok, runChecks, warn } from './run-checks.ts'

const FREE_MB = { warn: 2_000, fail: 200 }
const READ_MS = 5_000
/** The smallest GIF. */
const IMAGE = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

/** True for an address in a network of one's own, and for a name that only such a network knows. */
function isPrivateUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) > 0) return !isPublicAddress(host)
  return isLoopbackUrl(url) || /^[^.]+$|\.(local|internal|lan)$/.test(host)
}

/** Looks for settings that a start accepts although they seldom mean what they say, and at the disk. */
export const settingChecks = ({ s3, isProduction, publicUrl, imageFetchAllow, dataDir }: Config): Checks => ({
  'settings file'() {
    if (!isEnvFileIgnored()) return ok('none is ignored')
    return warn('.env is ignored in production: set its variables in the environment, or leave NODE_ENV out')
  },
  'settings of downloads'() {
    if (imageFetchAllow.size === 0) return ok('no private host')
    return warn(`IMAGE_FETCH_ALLOW: image downloads may reach ${listSome([...imageFetchAllow])}, though private`)
  },
  'settings of images'() {
    const address = s3 && publicAddress(s3)
    if (!address || !isProduction || !publicUrl.startsWith('https:')) return ok(address ?? 'local files')
    if (isPrivateUrl(address)) return warn(`S3_PUBLIC_URL: readers cannot reach ${address}, a part of stored links`)
    if (!address.startsWith('https:')) return warn(`S3_PUBLIC_URL: pages of https show no images of ${address}`)
    return ok(address)
  },
  async disk() {
    const bytes = await readFreeBytes(dataDir).catch(() => undefined)
    if (bytes === undefined) return ok(`DATA_DIR ${dataDir} holds nothing yet`)
    // A bucket leaves nothing to write there.
    const refusal = s3 ? undefined : await access(dataDir, constants.W_OK).catch(describeError)
    if (refusal !== undefined) return fail(`DATA_DIR cannot be written: ${refusal}`)
    const megabytes = Math.floor(bytes / 1_000_000)
    const text = `${megabytes} MB are free in DATA_DIR ${dataDir}`
    if (megabytes >= FREE_MB.warn) return ok(text)
    return (megabytes >= FREE_MB.fail ? warn : fail)(`${text}: make room before it is full`)
  },
})

/** Looks at what is stored. */
export const stateChecks = ({ config, db }: Pick<OperationsDeps, 'config' | 'db'>): Checks => ({
  async 'demo users'() {
    const names = areDemoUsersAllowed(config) ? [] : (await createDemoUserSearch(db)()).map(({ userName }) => userName)
    if (names.length === 0) return ok('none beyond development')
    return warn(`${names.join(', ')} have a published password: npm run users -- delete <userName>`)
  },
  async claims() {
    const abandoned = { status: 'pending', claimedAt: { $ne: null }, $expr: { $not: [IS_CLAIM_LIVE] } } as const
    const found = await db.contentRequests.find(abandoned, { projection: { _id: 1 }, limit: 100 }).toArray()
    if (found.length === 0) return ok('none is abandoned')
    const ids = listSome(found.map(({ _id }) => _id.toHexString()))
    return warn(`the approvals of ${ids} were killed: approve or reject these requests again`)
  },
})

/** Stores an object, reads it at its public address where that is served, and deletes it. */
export const storageChecks = (storage: Storage, { isServed }: { isServed: boolean }): Checks => ({
  async storage() {
    const key = `covers/${'0'.repeat(24)}/${randomBytes(12).toString('hex')}` as const
    const address = storage.addressOf(key)
    await storage.put(key, { bytes: IMAGE, type: 'image/gif' })
    async function readPublicly() {
      const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(READ_MS) })
      if (answer.status !== 200) return `the answer is ${answer.status}`
      return IMAGE.equals(Buffer.from(await answer.arrayBuffer())) ? undefined : 'the answer is another object'
    }
    const problem = isServed ? await readPublicly().catch(describeError) : undefined
    await storage.delete([key])
    if (await storage.get(key)) return fail('it keeps what was deleted: check the rights of its credentials')
    if (!problem) return ok(isServed ? `images are read at ${address.slice(0, -key.length)}` : 'stores and deletes')
    return fail(`readers get no image at ${address}: ${problem}; check S3_PUBLIC_URL and that anybody may read`)
  },
})

/** Runs the checks that change nothing, in the service. */
export async function runPassiveChecks(deps: Pick<OperationsDeps, 'config' | 'db' | 'clock' | 'feed'>) {
  const feed = () => (deps.feed.isLive() ? ok('live') : warn('not live: nothing is cached until it is back'))
  const settings = await runChecks(settingChecks(deps.config))
  return [...settings, ...(await checkDatabase(deps, { ...stateChecks(deps), 'change stream of the service': feed }))]
}
