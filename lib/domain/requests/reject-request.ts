import { DomainError } from '../../base/errors.ts'
import { MESSAGES, type RequestDecisionAnswer } from '../../contract/index.ts'
import type { Actor } from '../auth/actor.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { RequestsDeps } from './deps.ts'
import { CLAIM_FIELDS, IS_CLAIM_LIVE } from './live-claim.ts'
import { notifyAuthor } from './notify-author.ts'
import { findNames, findRequest, REQUEST_FIELDS, type RequestRow, toAdminRequest, toStaffTarget } from './to-wire.ts'

/**
 * Rejects a pending request, unless another admin is deciding it, in one transaction with the staff action.
 * @throws DomainError NOT_FOUND, CONFLICT
 */
export async function rejectRequest(
  deps: Pick<RequestsDeps, 'db' | 'clock' | 'storage' | 'failpoint'>,
  { user }: Actor,
  { requestId, reason }: { requestId: string; reason: string | null },
): Promise<RequestDecisionAnswer> {
  const { _id } = await findRequest(deps, requestId)
  const rejected = await deps.db.transaction(async (session) => {
    const row: RequestRow | null = await deps.db.contentRequests.findOneAndUpdate(
      { _id, status: 'pending', $expr: { $not: [IS_CLAIM_LIVE] } },
      {
        $set: { status: 'rejected', reason, decidedBy: user._id },
        $currentDate: { decidedAt: true, updatedAt: true },
        $unset: { slot: true, lastFailure: true, ...CLAIM_FIELDS },
      },
      { session, returnDocument: 'after', projection: REQUEST_FIELDS },
    )
    if (row === null) throw new DomainError('CONFLICT', MESSAGES.requestDecided)
    await deps.failpoint('rejection:written')
    const { kind, action } = row
    const entry = { actor: user, target: toStaffTarget(row), details: { kind, action, reason } }
    await recordStaffAction(deps, { ...entry, action: 'request-rejected' }, { session })
    await notifyAuthor(deps, row, { status: 'rejected', decidedBy: user._id, session })
    return row
  })
  const request = toAdminRequest(deps, rejected, await findNames(deps, [rejected]))
  return { request, failedImages: [], warnings: [] }
}
