import type { Document } from 'mongodb'
import { CLAIM_TTL_MS } from '../../contract/limits.ts'
import type { RequestsDeps } from './deps.ts'

/** All that a claim stores, for an `$unset`. */
export const CLAIM_FIELDS = { claimedAt: true, claimedBy: true, claimId: true } as const

/** Whether a claim of the stored request lives, by the database's clock; an absent one does not. */
export const IS_CLAIM_LIVE: Document = { $gt: ['$claimedAt', { $subtract: ['$$NOW', CLAIM_TTL_MS] }] }

/** Releases the claims of killed approvals: only where no other process can be at work on this database. */
export async function releaseClaims({ db }: Pick<RequestsDeps, 'db'>): Promise<void> {
  const claimed = { status: 'pending', claimedAt: { $ne: null } } as const
  await db.contentRequests.updateMany(claimed, { $unset: CLAIM_FIELDS })
}
