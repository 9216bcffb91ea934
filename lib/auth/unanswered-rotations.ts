import { LRUCache } from 'lru-cache'

/**
 * By the hash of a token that was sent: hashes of the tokens that may have taken its place although nobody received them,
 * since the database's answer was lost or came too late. Without them an outage would make the browser's token a reused one.
 */
export type UnansweredRotations = LRUCache<string, readonly string[]>

export const createUnansweredRotations = (): UnansweredRotations => new LRUCache({ max: 10_000 })
