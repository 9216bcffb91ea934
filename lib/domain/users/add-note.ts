import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { UserNote } from '../../contract/persons.ts'
import type { Actor } from '../auth/actor.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction, userTarget } from '../staff/record-staff-action.ts'

/** Writes a note about a user, which is an entry of the staff log. @throws DomainError NOT_FOUND */
export async function addNote(
  deps: StaffDeps,
  { user: actor }: Actor,
  { userId, text }: { userId: string; text: string },
): Promise<UserNote> {
  const _id = new ObjectId()
  await deps.db.transaction(async (session) => {
    const user = await deps.db.users.findOne({ _id: new ObjectId(userId) }, { session, projection: { userName: 1 } })
    if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
    const note = { _id, action: 'user-noted', target: userTarget(user), details: { text } } as const
    await recordStaffAction(deps, { actor, ...note }, { session })
  })
  return { _id: _id.toHexString(), at: deps.clock().toISOString(), by: actor.userName, text }
}
