import type { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { type ContentRequest, MESSAGES } from '../../contract/index.ts'
import type { Actor } from '../auth/actor.ts'
import type { RequestsDeps } from './deps.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from './live-claim.ts'
import { findNames, findRequest, REQUEST_FIELDS, type RequestRow, toContentRequest } from './to-wire.ts'

const WITHDRAWN_LIMIT = 50

/**
 * Deletes all but the newest withdrawn requests of a user, so that submitting and withdrawing for ever fills no disk. A
 * request whose uploads are still to be deleted stays until they are. Never rejects: the next withdrawal prunes again.
 */
async function pruneWithdrawn(
  { db: { contentRequests }, log }: Pick<RequestsDeps, 'db' | 'log' | 'storage'>,
  userId: ObjectId,
): Promise<void> {
  const withdrawn = { userId, status: 'withdrawn' } as const
  try {
    const surplus = await contentRequests
      .find(withdrawn, { projection: { _id: 1 } })
      .sort({ updatedAt: -1, createdAt: -1, _id: -1 })
      .skip(WITHDRAWN_LIMIT)
      .toArray()
    const _id = { $in: surplus.map((row) => row._id) }
    if (surplus.length > 0) {
      await contentRequests.deleteMany({ ...withdrawn, _id, 'pendingUploads.0': { $exists: false } })
    }
  } catch (error) {
    log.warn({ err: error, userId }, 'withdrawn requests could not be pruned')
  }
}

/**
 * Withdraws a pending request of the actor, unless an admin is deciding it.
 * @throws DomainError NOT_FOUND, FORBIDDEN, CONFLICT
 */
export async function withdrawRequest(
  deps: Pick<RequestsDeps, 'db' | 'log' | 'storage'>,
  { user }: Actor,
  { requestId }: { requestId: string },
): Promise<ContentRequest> {
  const { _id, userId } = await findRequest(deps, requestId)
  if (!userId?.equals(user._id)) throw new DomainError('FORBIDDEN', MESSAGES.requestNotYours)
  const withdrawn: RequestRow | null = await deps.db.contentRequests.findOneAndUpdate(
    { _id, status: 'pending', $expr: { $not: [IS_CLAIM_LIVE] } },
    { $set: { status: 'withdrawn' }, $currentDate: { updatedAt: true }, $unset: { slot: true, ...CLAIM_FIELDS } },
    { returnDocument: 'after', projection: REQUEST_FIELDS },
  )
  if (withdrawn === null) throw new DomainError('CONFLICT', MESSAGES.requestDecided)
  const [names] = await Promise.all([findNames(deps, [withdrawn]), pruneWithdrawn(deps, user._id)])
  return toContentRequest(deps, withdrawn, names)
}
