import { ObjectId } from 'mongodb'
import type { UserNote } from '../../contract/persons.ts'
import type { Actor } from '../auth/actor.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordUserAction } from '../staff/record-staff-action.ts'

/** Writes a note about a user, which is an entry of the staff log. @throws DomainError NOT_FOUND */
export async function addNote(
  deps: StaffDeps,
  { user: actor }: Actor,
  { userId, text }: { userId: string; text: string },
): Promise<UserNote> {
  const _id = new ObjectId()
  await recordUserAction(deps, { _id, actor, userId, action: 'user-noted', details: { text } })
  return { _id: _id.toHexString(), at: deps.clock().toISOString(), by: actor.userName, text }
}
