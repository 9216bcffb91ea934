import type { ObjectId } from 'mongodb'
import type { RequestsDeps } from '../deps.ts'
import { CLAIM_FIELDS } from '../live-claim.ts'

/**
 * Gives a claim back, so that the request can be decided again and nothing can be settled under the claim any more; waits
 * for a transaction that is settling it. One that is lost stays as it is.
 * @returns whether it was given back
 */
export async function releaseClaim(
  { db }: Pick<RequestsDeps, 'db'>,
  { requestId, claimedAt }: { requestId: ObjectId; claimedAt: Date },
): Promise<boolean> {
  const { matchedCount } = await db.contentRequests.updateOne({ _id: requestId, status: 'pending', claimedAt }, [
    { $unset: [...CLAIM_FIELDS] },
  ])
  return matchedCount > 0
}
