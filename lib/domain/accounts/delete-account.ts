import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { isObjectId, MESSAGES } from '../../contract/index.ts'
import type { Actor } from '../auth/actor.ts'
import { findPasswordHash, passwordWrong } from '../auth/own-password.ts'
import { toSiteUserId } from '../auth/site-claims.ts'
import { closeAccount, untilClosedEverywhere } from './close-account.ts'
import type { AccountsDeps } from './deps.ts'

function readUserId({ config: { site } }: AccountsDeps, id: string): ObjectId {
  if (site !== undefined) return toSiteUserId(id).userId
  if (!isObjectId(id)) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  return new ObjectId(id)
}

/**
 * Deletes an account for a program: closed on every instance when this resolves, erased by a job afterwards. The deletion of a
 * user of the site who was never seen here is stored.
 * @throws DomainError NOT_FOUND, CONFLICT for the last admin
 */
export async function deleteAccount(deps: AccountsDeps, { id }: { id: string }): Promise<{ userId: string }> {
  const _id = readUserId(deps, id)
  const siteUserId = deps.config.site && _id
  const closed = await closeAccount(deps, { filter: { _id }, isRecorded: true, siteUserId })
  if (closed === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  const userId = _id.toHexString()
  await untilClosedEverywhere(deps, userId)
  return { userId }
}

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
