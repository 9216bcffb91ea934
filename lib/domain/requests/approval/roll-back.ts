import type { ObjectKey } from '#lib/infrastructure/storage/storage'
import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS } from '../live-claim.ts'
import { REQUEST_FIELDS, type RequestRow } from '../to-wire.ts'
import type { ClaimedRequest } from './claim.ts'
import { cleanUpInBackground } from './clean-up.ts'

interface FailedApproval {
  request: ClaimedRequest
  /** Keys under which the approval may have stored objects. */
  uploads: readonly ObjectKey[]
  /** Stored in `lastFailure` with the message. */
  httpRequestId: string
  message: string
}

/**
 * Ends an approval that failed: releases its claim, so that nothing can be committed under it any more, and deletes what
 * it stored.
 * @returns the request where the approval was committed all the same and only the answer was lost; then nothing is deleted
 */
export async function rollBack(
  deps: Pick<RequestsDeps, 'db' | 'storage' | 'log' | 'failpoint'>,
  { request: { _id, claimedAt }, uploads, httpRequestId, message }: FailedApproval,
): Promise<RequestRow | null> {
  const { contentRequests } = deps.db
  await deps.failpoint('approval:rolling-back')
  // This write comes before any read: it waits for a commit that is under way.
  const claimed = { _id, status: 'pending', claimedAt } as const
  const { matchedCount } = await contentRequests.updateOne(claimed, {
    $set: { 'lastFailure.message': message, 'lastFailure.requestId': httpRequestId },
    $currentDate: { 'lastFailure.at': true },
    $unset: CLAIM_FIELDS,
  })
  if (matchedCount === 0) {
    const committed = await contentRequests.findOne<RequestRow>(
      { _id, status: 'approved', settledClaim: claimedAt },
      { projection: REQUEST_FIELDS },
    )
    if (committed !== null) return committed
  }
  await deps.failpoint('approval:claim-released')
  await cleanUpInBackground(deps, { requestId: _id, stored: uploads })
  return null
}
