import { LRUCache } from 'lru-cache'

interface BoundedCacheOptions {
  /** How many entries it holds; the one that was not used for the longest time goes first. */
  entries: number
  /** How long an entry is kept, in milliseconds. */
  ttl?: number
}

/** Makes a cache that grows with its entries: by `max` instead, each would make room for all of them at the start. */
export const createBoundedCache = <V extends object | string | number | boolean>({
  entries,
  ...options
}: BoundedCacheOptions): LRUCache<string, V> => new LRUCache({ ...options, maxSize: entries, sizeCalculation: () => 1 })
