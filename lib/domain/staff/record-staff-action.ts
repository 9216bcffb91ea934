import { type ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'
import type { StaffDeps } from './deps.ts'

type StaffActionEntry = Omit<StaffActionDocument, '_id' | 'at' | 'admin'> & {
  _id?: ObjectId
  /** Null for a command of the deployer. */
  actor: { _id: ObjectId; userName: string } | null
}

export const userTarget = ({ _id, userName }: { _id: ObjectId; userName: string }) =>
  ({ kind: 'user', id: _id.toHexString(), name: userName }) as const

/** Records an action of staff in the transaction of its write: neither is stored without the other. */
export async function recordStaffAction(
  { db, clock }: Pick<StaffDeps, 'db' | 'clock'>,
  { actor, _id = new ObjectId(), ...entry }: StaffActionEntry,
  { session }: { session: ClientSession },
): Promise<void> {
  const admin = actor && { userId: actor._id, userName: actor.userName }
  await db.staffActions.insertOne({ _id, at: clock(), admin, ...entry }, { session })
}

/** Records an action upon a user that is nothing but its entry. @throws DomainError NOT_FOUND */
export const recordUserAction = (
  deps: StaffDeps,
  { userId, ...entry }: Omit<StaffActionEntry, 'target'> & { userId: string },
): Promise<void> =>
  deps.db.transaction(async (session) => {
    const user = await deps.db.users.findOne({ _id: new ObjectId(userId) }, { session, projection: { userName: 1 } })
    if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
    await recordStaffAction(deps, { ...entry, target: userTarget(user) }, { session })
  })
