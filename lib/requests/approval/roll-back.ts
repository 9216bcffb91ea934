import type { ObjectKey } from '../../storage/storage.ts'
import type { ClaimedRequest } from './claim.ts'
import { type ClearDeps, cleanUpInBackground } from './clean-up-in-background.ts'
import { releaseClaim } from './release-claim.ts'

interface Failed {
  request: ClaimedRequest
  /** Every key that the approval noted; nothing is being stored any more. */
  stored: readonly ObjectKey[]
  /** Those of which nobody knows whether something is stored under them. */
  uncertainUploads: readonly string[]
}

/**
 * Ends an approval that failed: its claim is given back and what it stored is deleted, unless it was settled all the same
 * and only the answer was lost.
 * @returns whether it was settled
 */
export async function rollBack(deps: ClearDeps, { request, stored, uncertainUploads }: Failed): Promise<boolean> {
  const { _id: requestId, claimedAt } = request
  // First, and not a read: it waits for a commit that is under way. Whoever claims next finds the notes.
  const isReleased = await releaseClaim(deps, { requestId, claimedAt })
  if (!isReleased) {
    const own = { _id: requestId, status: 'approved', settledClaim: claimedAt } as const
    if ((await deps.db.contentRequests.countDocuments(own)) > 0) return true
  }
  await cleanUpInBackground(deps, { requestId, stored, uncertainUploads })
  return false
}
