import { LRUCache } from 'lru-cache'

/** Makes an LRU cache that grows with its entries: with `max` it would make room for all of them at the start. */
export const createBoundedCache = <V extends object | string | number | boolean>({
  entries,
}: {
  entries: number
}): LRUCache<string, V> => new LRUCache({ maxSize: entries, sizeCalculation: () => 1 })
