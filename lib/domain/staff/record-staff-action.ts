import { type ClientSession, ObjectId } from 'mongodb'
import type { StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'
import type { StaffDeps } from './deps.ts'

type StaffActionEntry = Omit<StaffActionDocument, '_id' | 'at' | 'admin'> & {
  /** Null for a command of the deployer. */
  admin: { _id: ObjectId; userName: string } | null
}

function toDocument({ clock }: Pick<StaffDeps, 'clock'>, { admin, ...entry }: StaffActionEntry): StaffActionDocument {
  return {
    _id: new ObjectId(),
    at: clock(),
    admin: admin && { userId: admin._id, userName: admin.userName },
    ...entry,
  }
}

/** Records an admin's action in the transaction of its write: neither is stored without the other. */
export async function recordStaffAction(
  deps: Pick<StaffDeps, 'db' | 'clock'>,
  entry: StaffActionEntry,
  { session }: { session: ClientSession },
): Promise<void> {
  await deps.db.staffActions.insertOne(toDocument(deps, entry), { session })
}
