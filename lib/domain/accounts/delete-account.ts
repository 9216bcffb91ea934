import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { closeAccount, untilClosedEverywhere } from './close-account.ts'
import type { AccountsDeps } from './deps.ts'

/**
 * Deletes an account for a program: closed on every instance when this resolves, erased by a job afterwards.
 * @throws DomainError NOT_FOUND, CONFLICT for the last admin
 */
export async function deleteAccount(deps: AccountsDeps, { userId }: { userId: string }): Promise<{ userId: string }> {
  const closed = await closeAccount(deps, { filter: { _id: new ObjectId(userId) }, isRecorded: true })
  if (closed === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  await untilClosedEverywhere(deps, userId)
  return { userId }
}
