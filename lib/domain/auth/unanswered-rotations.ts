import type { LRUCache } from 'lru-cache'
import { createBoundedCache } from '../../base/values/bounded-cache.ts'

/**
 * Hashes of tokens that may have replaced a token but reached no browser, because the database's answer was lost or late.
 * They are found by the hash of the replaced token. Without them an outage would turn the browser's token into a reused one.
 */
export type UnansweredRotations = LRUCache<string, readonly string[]>

export const createUnansweredRotations = (): UnansweredRotations => createBoundedCache({ entries: 10_000 })
