import type { Document } from 'mongodb'
import { CLAIM_TTL_MS } from '../contract/limits.ts'

/** Whether a claim of the stored request lives, by the database's clock; an absent one does not. */
export const IS_CLAIM_LIVE: Document = { $gt: ['$claimedAt', { $subtract: ['$$NOW', CLAIM_TTL_MS] }] }
