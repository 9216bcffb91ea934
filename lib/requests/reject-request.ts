import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { RequestDecisionAnswer } from '../contract/requests.ts'
import { DomainError } from '../errors.ts'
import { recordStaffActionAfter } from '../staff/record-staff-action-after.ts'
import { type CleanUpDeps, cleanUpInBackground } from './approval/clean-up.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames } from './find-names.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from './live-claim.ts'
import { PENDING_UPLOADS_FIELDS, readPendingUploads, type StoredPendingUploads } from './pending-uploads.ts'
import { REQUEST_FIELDS, type RequestRow, toAdminRequest, toStaffTarget } from './to-wire.ts'

interface Rejection {
  requestId: string
  admin: SessionUser
  /** Shown to the author. */
  reason: string | null
}

/**
 * Rejects a pending request, unless another admin is deciding it. Uploads that an abandoned approval left are deleted.
 * @throws DomainError NOT_FOUND, CONFLICT
 */
export async function rejectRequest(
  deps: CleanUpDeps & Pick<RequestsDeps, 'clock'>,
  { requestId, admin, reason }: Rejection,
): Promise<RequestDecisionAnswer> {
  const { contentRequests } = deps.db
  const _id = new ObjectId(requestId)
  const rejected: (RequestRow & StoredPendingUploads) | null = await contentRequests.findOneAndUpdate(
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
      { $unset: ['slot', 'lastFailure', ...CLAIM_FIELDS] },
    ],
    { returnDocument: 'after', projection: { ...REQUEST_FIELDS, ...PENDING_UPLOADS_FIELDS }, maxTimeMS: MAX_TIME_MS },
  )
  if (rejected === null) {
    const isThere = (await contentRequests.countDocuments({ _id }, { maxTimeMS: MAX_TIME_MS })) > 0
    throw isThere
      ? new DomainError('CONFLICT', MESSAGES.requestDecided)
      : new DomainError('NOT_FOUND', MESSAGES.requestNotFound)
  }
  await deps.failpoint('rejection:written')
  const { kind, action } = rejected
  const target = toStaffTarget(rejected)
  await recordStaffActionAfter(deps, { admin, action: 'request-rejected', target, details: { kind, action, reason } })
  const uncertainUploads = readPendingUploads(rejected)
  if (uncertainUploads.length > 0) await cleanUpInBackground(deps, { requestId: _id, uncertainUploads })
  const request = toAdminRequest(rejected, await findNames(deps, [rejected]))
  return { request, failedImages: [], warnings: [] }
}
