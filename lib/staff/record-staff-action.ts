import { type ClientSession, ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { StaffActionDocument } from '../db/collections/staff-actions.ts'
import type { StaffDeps } from './deps.ts'

type StaffActionEntry = Omit<StaffActionDocument, '_id' | 'at' | 'admin'> & {
  /** Null for a command of the deployer's. */
  admin: { _id: ObjectId; userName: string } | null
}

/**
 * Records what an admin did, after the write that it tells of, or in its transaction. Without one a failure is logged and
 * does not reach the caller: the change has happened.
 */
export async function recordStaffAction(
  { db, clock, log }: Pick<StaffDeps, 'db' | 'clock' | 'log'>,
  { admin, ...entry }: StaffActionEntry,
  { session }: { session?: ClientSession } = {},
): Promise<void> {
  const action: StaffActionDocument = {
    _id: new ObjectId(),
    at: clock(),
    admin: admin && { userId: admin._id, userName: admin.userName },
    ...entry,
  }
  if (session !== undefined) {
    await db.staffActions.insertOne(action, { session })
    return
  }
  await db.staffActions.insertOne(action, { maxTimeMS: MAX_TIME_MS }).catch((error: unknown) => {
    log.error({ err: error, action: entry.action, target: entry.target }, 'a staff action could not be recorded')
  })
}
