import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { RequestDecisionAnswer } from '../contract/requests.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import { DomainError } from '../errors.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import { type CleanUpDeps, cleanUpInBackground } from './approval/clean-up.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames } from './find-names.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from './live-claim.ts'
import { notifyAuthor } from './notify-author.ts'
import { REQUEST_FIELDS, type RequestRow, toAdminRequest, toStaffTarget } from './to-wire.ts'

interface Rejection {
  requestId: string
  admin: SessionUser
  /** Shown to the author. */
  reason: string | null
}

type RejectDeps = CleanUpDeps & Pick<RequestsDeps, 'clock'>
type Rejected = RequestRow & Pick<ContentRequestDocument, 'pendingUploads'>

async function findRefusal({ db }: RejectDeps, _id: ObjectId): Promise<DomainError> {
  const isThere = (await db.contentRequests.countDocuments({ _id }, { maxTimeMS: MAX_TIME_MS })) > 0
  return isThere
    ? new DomainError('CONFLICT', MESSAGES.requestDecided)
    : new DomainError('NOT_FOUND', MESSAGES.requestNotFound)
}

/**
 * Rejects a pending request, unless another admin is deciding it, in one transaction with the staff action. Uploads that an
 * abandoned approval left are deleted.
 * @throws DomainError NOT_FOUND, CONFLICT
 */
export async function rejectRequest(
  deps: RejectDeps,
  { requestId, admin, reason }: Rejection,
): Promise<RequestDecisionAnswer> {
  const _id = new ObjectId(requestId)
  const rejected = await deps.db.transaction(async (session) => {
    const row: Rejected | null = await deps.db.contentRequests.findOneAndUpdate(
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
      { session, returnDocument: 'after', projection: { ...REQUEST_FIELDS, pendingUploads: 1 } },
    )
    if (row === null) throw await findRefusal(deps, _id)
    await deps.failpoint('rejection:written')
    const { kind, action } = row
    const entry = { admin, target: toStaffTarget(row), details: { kind, action, reason } }
    await recordStaffAction(deps, { ...entry, action: 'request-rejected' }, { session })
    await notifyAuthor(deps, row, { status: 'rejected', admin, session })
    return row
  })
  const uncertainUploads = rejected.pendingUploads ?? []
  if (uncertainUploads.length > 0) await cleanUpInBackground(deps, { requestId: _id, uncertainUploads })
  const request = toAdminRequest(rejected, await findNames(deps, [rejected]))
  return { request, failedImages: [], warnings: [] }
}
