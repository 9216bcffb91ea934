import type { Document } from 'mongodb'
import { CLAIM_TTL_MS } from '../contract/limits.ts'

/** All that a claim stores; taken away together. */
export const CLAIM_FIELDS = ['claimedAt', 'claimedBy', 'claimId'] as const

/** Whether a claim of the stored request lives, by the database's clock; an absent one does not. */
export const IS_CLAIM_LIVE: Document = { $gt: ['$claimedAt', { $subtract: ['$$NOW', CLAIM_TTL_MS] }] }
