import { type ClientSession, type Collection, ObjectId } from 'mongodb'
import { type CoalescedWrites, createCoalescedWrites } from '../concurrency/coalesced-writes.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { StaffActionDocument } from '../db/collections/staff-actions.ts'
import type { StaffDeps } from './deps.ts'

type StaffActionEntry = Omit<StaffActionDocument, '_id' | 'at' | 'admin'> & {
  /** Null for a command of the deployer's. */
  admin: { _id: ObjectId; userName: string } | null
}

type Inserts = CoalescedWrites<StaffActionDocument, true>

/** Inserts by collection; a process has a single entry, except in tests. */
const insertsByCollection = new WeakMap<Collection<StaffActionDocument>, Inserts>()

/** Actions that arrive at the same time are inserted by one command. */
function findInserts(staffActions: Collection<StaffActionDocument>): Inserts {
  const known = insertsByCollection.get(staffActions)
  if (known !== undefined) return known
  const inserts: Inserts = createCoalescedWrites(async (actions) => {
    await staffActions.insertMany([...actions], { ordered: false, maxTimeMS: MAX_TIME_MS })
    return actions.map(() => true)
  })
  insertsByCollection.set(staffActions, inserts)
  return inserts
}

function toDocument({ clock }: Pick<StaffDeps, 'clock'>, { admin, ...entry }: StaffActionEntry): StaffActionDocument {
  return {
    _id: new ObjectId(),
    at: clock(),
    admin: admin && { userId: admin._id, userName: admin.userName },
    ...entry,
  }
}

/** Records what an admin did, in the transaction of the write that it tells of: neither is stored without the other. */
export async function recordStaffAction(
  deps: Pick<StaffDeps, 'db' | 'clock'>,
  entry: StaffActionEntry,
  { session }: { session: ClientSession },
): Promise<void> {
  await deps.db.staffActions.insertOne(toDocument(deps, entry), { session })
}

/** The same after the write, for callers without a transaction. A failure is logged: the change has happened. */
export async function recordStaffActionAfter(deps: StaffDeps, entry: StaffActionEntry): Promise<void> {
  await findInserts(deps.db.staffActions)(toDocument(deps, entry)).catch((error: unknown) => {
    deps.log.error({ err: error, action: entry.action, target: entry.target }, 'a staff action could not be recorded')
  })
}
