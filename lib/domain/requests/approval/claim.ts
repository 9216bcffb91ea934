import { ObjectId } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { Actor } from '../../auth/actor.ts'
import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from '../live-claim.ts'
import { pickFields } from '../pick-fields.ts'
import { findRequest } from '../to-wire.ts'

export type ClaimedRequest = ContentRequestDocument & { claimedAt: Date }

/**
 * Claims a pending request for one approval and reads it. A claim that is too old is taken over, with the uploads that its
 * approval may have left.
 * @throws DomainError NOT_FOUND, INVALID, CONFLICT when it is decided or another claim lives
 */
export async function claim(
  deps: Pick<RequestsDeps, 'db' | 'log' | 'failpoint' | 'approvalRunner'>,
  { user }: Actor,
  { requestId, fields }: { requestId: string; fields?: readonly string[] | undefined },
): Promise<ClaimedRequest> {
  const { db, failpoint, approvalRunner } = deps
  const claimId = new ObjectId()
  const found = await findRequest(deps, requestId)
  // Fields that cannot be applied are refused before the state of the request is.
  pickFields(found, fields)
  const { _id } = found

  try {
    await failpoint('approval:claiming')
    const claimed = await db.contentRequests.findOneAndUpdate(
      { _id, status: 'pending', $expr: { $not: [IS_CLAIM_LIVE] } },
      [{ $set: { claimedAt: '$$NOW', claimedBy: user._id, claimId } }, { $unset: 'lastFailure' }],
      { returnDocument: 'after' },
    )
    await failpoint('approval:claimed')
    if (claimed?.claimedAt) return { ...claimed, claimedAt: claimed.claimedAt }
  } catch (error) {
    // The claim may have been stored although its answer was lost.
    approvalRunner.retry({ task: 'releasing a claim', log: deps.log }, async () => {
      const claimed = { _id, status: 'pending', claimId } as const
      await db.contentRequests.updateOne(claimed, { $unset: CLAIM_FIELDS })
    })
    throw error
  }
  throw new DomainError('CONFLICT', MESSAGES.requestDecided)
}
