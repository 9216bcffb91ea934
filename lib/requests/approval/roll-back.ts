import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS } from '../live-claim.ts'
import { REQUEST_FIELDS, type RequestRow } from '../to-wire.ts'
import type { ApprovalContext } from './approval-context.ts'
import { type CleanUpDeps, cleanUpInBackground } from './clean-up.ts'

/**
 * Ends an approval that failed: releases its claim, so that nothing can be committed under it any more, and deletes what
 * it stored. `message` is what the admin is told, kept on the request as its last failure.
 * @returns the request where the approval was committed all the same and only the answer was lost; then nothing is deleted
 */
export async function rollBack(
  deps: CleanUpDeps & Pick<RequestsDeps, 'failpoint'>,
  { request, uploads, httpRequestId }: Pick<ApprovalContext, 'request' | 'uploads' | 'httpRequestId'>,
  message: string,
): Promise<RequestRow | null> {
  const { contentRequests } = deps.db
  const { _id, claimedAt } = request
  await deps.failpoint('approval:rolling-back')
  // This write comes before any read: it waits for a commit that is under way.
  const { matchedCount } = await contentRequests.updateOne({ _id, status: 'pending', claimedAt }, [
    { $set: { lastFailure: { at: '$$NOW', message: { $literal: message }, requestId: { $literal: httpRequestId } } } },
    { $unset: [...CLAIM_FIELDS] },
  ])
  if (matchedCount === 0) {
    const committed = await contentRequests.findOne<RequestRow>(
      { _id, status: 'approved', settledClaim: claimedAt },
      { projection: REQUEST_FIELDS },
    )
    if (committed !== null) return committed
  }
  await deps.failpoint('approval:claim-released')
  await cleanUpInBackground(deps, { requestId: _id, stored: uploads.keys, uncertainUploads: uploads.uncertain() })
  return null
}
