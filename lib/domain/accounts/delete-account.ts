import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { isObjectId, MESSAGES } from '../../contract/index.ts'
import { toSiteUserId } from '../auth/site-claims.ts'
import { closeAccount, untilClosedEverywhere } from './close-account.ts'
import type { AccountsDeps } from './deps.ts'

/** Finds the id of a user by the id here, or by that at the site. */
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
