import type { Document } from 'mongodb'
import { CLAIM_TTL_MS } from '../../contract/limits.ts'
import type { RequestsDeps } from './deps.ts'

export const CLAIM_FIELDS = { claimedAt: true, claimedBy: true, claimId: true } as const

/** True when the stored request has a live claim, by the database's clock. */
export const IS_CLAIM_LIVE: Document = { $gt: ['$claimedAt', { $subtract: ['$$NOW', CLAIM_TTL_MS] }] }

/** Releases the claims of killed approvals. Must run only where no other process works on this database. */
export async function releaseClaims({ db }: Pick<RequestsDeps, 'db'>): Promise<void> {
  const claimed = { status: 'pending', claimedAt: { $ne: null } } as const
  await db.contentRequests.updateMany(claimed, { $unset: CLAIM_FIELDS })
}
