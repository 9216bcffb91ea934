import { LRUCache } from 'lru-cache'

/**
 * Makes a cache that holds so many entries; the one that was not used for the longest time goes first. It grows with its
 * entries: by `max` instead, each would make room for all of them at the start.
 */
export const createBoundedCache = <V extends object | string | number | boolean>({
  entries,
}: {
  entries: number
}): LRUCache<string, V> => new LRUCache({ maxSize: entries, sizeCalculation: () => 1 })
