import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Actor } from '../auth/actor.ts'
import { findPasswordHash, passwordWrong } from '../auth/own-password.ts'
import { closeAccount, untilClosedEverywhere } from './close-account.ts'
import type { AccountsDeps } from './deps.ts'

/**
 * Deletes the actor's account: closed on every instance when this resolves, erased by a job afterwards.
 * @throws DomainError FORBIDDEN, INVALID for a wrong password, RATE_LIMITED, CONFLICT for the last admin
 */
export async function deleteOwnAccount(
  deps: AccountsDeps,
  { user: { _id } }: Actor,
  { userId, password, address }: { userId: string; password: string; address: string },
): Promise<{ userId: string }> {
  if (_id.toHexString() !== userId) throw new DomainError('FORBIDDEN', MESSAGES.accountNotYours)
  const passwordHash = await findPasswordHash(deps, _id, { path: 'password', password, address })
  const closed = await closeAccount(deps, { filter: { _id, passwordHash }, isRecorded: false })
  if (closed === null) throw passwordWrong('password')
  await untilClosedEverywhere(deps, userId)
  return { userId }
}
