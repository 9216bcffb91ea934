import { randomBytes } from 'node:crypto'
import type { Storage } from '../../infrastructure/storage/storage.ts'
import { type Checks, describeError, fail, ok } from './run-checks.ts'

const TIMEOUT_MS = 5_000
/** The smallest GIF. */
const IMAGE = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
const NO_GAME = '0'.repeat(24)

/** Reads an object as readers do. @throws Error with the reason */
async function readPublicly(address: string): Promise<void> {
  const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (answer.status !== 200) throw new Error(`the answer is ${answer.status}`)
  if (!IMAGE.equals(Buffer.from(await answer.arrayBuffer()))) throw new Error('the answer is another object')
}

/** Checks the storage by an object that it stores, reads at its public address where that is served, and deletes. */
export const storageChecks = (storage: Storage, { isServed }: { isServed: boolean }): Checks => ({
  async storage() {
    const key = `covers/${NO_GAME}/${randomBytes(12).toString('hex')}` as const
    const address = storage.addressOf(key)
    await storage.put(key, { bytes: IMAGE, type: 'image/gif' })
    const unread = isServed ? await readPublicly(address).catch(describeError) : undefined
    await storage.delete([key])
    if ((await storage.get(key)) !== undefined)
      return fail('it keeps what was deleted: check the rights of its credentials')
    if (unread === undefined)
      return ok(isServed ? `images are read at ${address.slice(0, -key.length)}` : 'stores and deletes')
    return fail(`readers get no image at ${address}: ${unread}; check S3_PUBLIC_URL and that anybody may read`)
  },
})
