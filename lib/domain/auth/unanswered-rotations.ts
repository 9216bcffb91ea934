import type { LRUCache } from 'lru-cache'
import { createBoundedCache } from '../../base/values/bounded-cache.ts'

/**
 * Hashes of the tokens that may have taken the place of a sent token, by its hash, although nobody received them,
 * since the database's answer was lost or came too late. Without them an outage would make the browser's token a reused one.
 */
export type UnansweredRotations = LRUCache<string, readonly string[]>

export const createUnansweredRotations = (): UnansweredRotations => createBoundedCache({ entries: 10_000 })
