import { ObjectId } from 'mongodb'
import type { SessionUser } from '../../auth/session-user.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ContentRequestDocument } from '../../db/collections/content-requests.ts'
import { DomainError } from '../../errors.ts'
import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from '../live-claim.ts'
import type { ApprovalRunner } from './approval-runner.ts'

export type ClaimedRequest = ContentRequestDocument & { claimedAt: Date }

interface Claim {
  requestId: ObjectId
  admin: SessionUser
}

/**
 * Claims a pending request for one approval; a claim that is too old is taken over, with the notes of what it may have
 * left.
 * @throws DomainError CONFLICT when it is decided or another claim lives
 */
export async function claim(
  { db, approvalRunner }: Pick<RequestsDeps, 'db'> & { approvalRunner: Pick<ApprovalRunner, 'tryAgain'> },
  { requestId, admin }: Claim,
): Promise<ClaimedRequest> {
  const { contentRequests } = db
  const claimId = new ObjectId()

  const claim = contentRequests.findOneAndUpdate(
    { _id: requestId, status: 'pending', $expr: { $not: [IS_CLAIM_LIVE] } },
    [{ $set: { claimedAt: '$$NOW', claimedBy: admin._id, claimId } }],
    { returnDocument: 'after' },
  )
  const claimed = await claim.catch((error: unknown) => {
    // It may have been stored although its answer was lost.
    approvalRunner.tryAgain('giving a claim back', async () => {
      const own = { _id: requestId, status: 'pending', claimId } as const
      await contentRequests.updateOne(own, [{ $unset: [...CLAIM_FIELDS] }])
    })
    throw error
  })
  if (!claimed?.claimedAt) throw new DomainError('CONFLICT', MESSAGES.requestDecided)
  return { ...claimed, claimedAt: claimed.claimedAt }
}
