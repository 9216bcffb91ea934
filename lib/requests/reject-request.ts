import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { RequestDecisionAnswer } from '../contract/requests.ts'
import { DomainError } from '../errors.ts'
import { type ClearDeps, cleanUpInBackground } from './approval/clean-up-in-background.ts'
import { findNames } from './find-names.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from './live-claim.ts'
import { REQUEST_FIELDS, type RequestRow, toAdminRequest } from './to-wire.ts'

interface Rejection {
  requestId: string
  admin: SessionUser
  /** Shown to the author. */
  reason: string | null
}

/**
 * Rejects a pending request, unless another admin is deciding it. What an abandoned approval left is cleared with it.
 * @throws DomainError NOT_FOUND, CONFLICT
 */
export async function rejectRequest(
  deps: ClearDeps,
  { requestId, admin, reason }: Rejection,
): Promise<RequestDecisionAnswer> {
  const { contentRequests } = deps.db
  const _id = new ObjectId(requestId)
  const rejected: (RequestRow & { work?: string[] }) | null = await contentRequests.findOneAndUpdate(
    { _id, status: 'pending', $expr: { $not: [IS_CLAIM_LIVE] } },
    [
      {
        $set: {
          status: 'rejected',
          reason: { $literal: reason },
          decidedAt: '$$NOW',
          decidedBy: admin._id,
          updatedAt: '$$NOW',
        },
      },
      { $unset: ['slot', ...CLAIM_FIELDS] },
    ],
    { returnDocument: 'after', projection: { ...REQUEST_FIELDS, work: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (rejected === null) {
    const isThere = (await contentRequests.countDocuments({ _id }, { maxTimeMS: MAX_TIME_MS })) > 0
    throw isThere
      ? new DomainError('CONFLICT', MESSAGES.requestDecided)
      : new DomainError('NOT_FOUND', MESSAGES.requestNotFound)
  }
  if (rejected.work?.length) await cleanUpInBackground(deps, { requestId: _id, uncertainUploads: rejected.work })
  const request = toAdminRequest(rejected, await findNames(deps, [rejected]))
  return { request, failedImages: [], warnings: [] }
}
