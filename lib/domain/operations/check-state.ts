import type { Document } from 'mongodb'
import type { Config } from '../../base/config.ts'
import { readFreeBytes } from '../../base/system/free-bytes.ts'
import { hasCode } from '../../base/system/has-code.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import { createDemoUserSearch } from '../auth/demo-accounts.ts'
import { areDemoUsersAllowed } from '../auth/demo-users.ts'
import { IS_CLAIM_LIVE } from '../requests/live-claim.ts'
import { type Checks, fail, listSome, ok, warn } from './run-checks.ts'

const MB = 1_000_000
const FREE_MB = { warn: 2_000, fail: 200 }

interface CheckedState {
  config: Config
  db: Pick<Database, 'users' | 'contentRequests' | 'raw'>
}

function judgeFree(bytes: number, place: string) {
  const megabytes = Math.floor(bytes / MB)
  const text = `${megabytes} MB are free for ${place}`
  if (megabytes >= FREE_MB.warn) return ok(text)
  return (megabytes >= FREE_MB.fail ? warn : fail)(`${text}: make room before it is full`)
}

/** Creates the checks of what is stored and of its room, which change nothing. */
export function createStateChecks({ config, db }: CheckedState): Checks {
  const findDemoUsers = createDemoUserSearch(db)
  return {
    async disk() {
      const bytes = await readFreeBytes(config.dataDir).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error
      })
      if (bytes === undefined) return ok(`DATA_DIR, ${config.dataDir}, holds nothing yet`)
      return judgeFree(bytes, `DATA_DIR, ${config.dataDir}`)
    },
    async 'database disk'() {
      const { fsTotalSize, fsUsedSize } = await db.raw.command({ dbStats: 1 }).catch((): Document => ({}))
      return fsTotalSize === undefined
        ? ok('the user may not ask')
        : judgeFree(fsTotalSize - fsUsedSize, 'the database')
    },
    async 'demo users'() {
      const names = areDemoUsersAllowed(config) ? [] : (await findDemoUsers()).map(({ userName }) => userName)
      if (names.length === 0) return ok('none beyond development')
      return warn(`${names.join(', ')} have a published password: npm run user -- delete <userName>`)
    },
    async claims() {
      const abandoned = { status: 'pending', claimedAt: { $ne: null }, $expr: { $not: [IS_CLAIM_LIVE] } } as const
      const found = await db.contentRequests
        .find(abandoned, { projection: { _id: 1 } })
        .limit(100)
        .toArray()
      if (found.length === 0) return ok('none is abandoned')
      const ids = listSome(found.map(({ _id }) => _id.toHexString()))
      return warn(`the approvals of ${ids} were killed: approve or reject these requests again`)
    },
  }
}
