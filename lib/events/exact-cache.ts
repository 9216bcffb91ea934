import { LRUCache } from 'lru-cache'
import { createBoundedCache } from '../values/bounded-cache.ts'

/** A read of the database that may fill a cache with what it found. */
interface CacheRead<V> {
  /** Keeps a value, unless its key was dropped since the read began. */
  fill(key: string, value: V): void
  /** Called when the read is over, however it ended. */
  end(): void
}

/**
 * A cache that never answers a value from before a change: each change drops its id first, and a read that began before a
 * drop does not fill. Every key begins with the id, in 24 hex characters, by which it is dropped.
 */
export interface ExactCache<V extends object> {
  /** Undefined also while the changes of other processes do not arrive. */
  get(key: string): V | undefined
  /** To be called before the database is asked. */
  beginRead(): CacheRead<V>
  /** Answers from the cache or reads; callers of one key at the same time share one read. */
  read(key: string, load: () => Promise<V>): Promise<V>
  /** Forgets every key of this id. */
  drop(id: string): void
  clear(): void
  /** Answers and keeps nothing until the returned function is called, for a change whose id is not known yet. */
  pause(): () => void
  readonly isPaused: boolean
  /** Whether it holds nothing, and no read under way may fill it. */
  readonly isEmpty: boolean
  /** Grows with each drop: anything made of this cache's values is as old as the number it was made at. */
  readonly version: number
}

interface CacheOptions<V> {
  isLive: () => boolean
  maxBytes: number
  sizeOf: (value: V) => number
}

const ID_LENGTH = 24
/** A key, its place in the maps and the value's own overhead. */
const ENTRY_BYTES = 250
const CANDIDATES_MAX = 2_000

interface ActiveRead {
  dropped: Set<string>
  isCleared: boolean
}

export function createExactCache<V extends object>({ isLive, maxBytes, sizeOf }: CacheOptions<V>): ExactCache<V> {
  const keysById = new Map<string, Set<string>>()
  const toId = (key: string) => key.slice(0, ID_LENGTH)

  function forgetKey(key: string): void {
    const keys = keysById.get(toId(key))
    keys?.delete(key)
    if (keys?.size === 0) keysById.delete(toId(key))
  }

  const toBytes = (value: V) => sizeOf(value) + ENTRY_BYTES
  const entries = new LRUCache<string, V>({
    maxSize: maxBytes,
    sizeCalculation: toBytes,
    dispose: (_value, key, reason) => {
      if (reason !== 'set') forgetKey(key)
    },
  })
  /** Read once while the cache was full. */
  const candidates = createBoundedCache<true>({ entries: CANDIDATES_MAX })
  const activeReads = new Set<ActiveRead>()
  const shared = new Map<string, { loaded: Promise<V> }>()
  let pauses = 0
  let version = 0

  /** A full cache takes keys that are read twice: one reader of everything must not push out the pages of many. */
  function isAdmitted(key: string, value: V): boolean {
    if (entries.has(key) || entries.calculatedSize + toBytes(value) <= maxBytes || candidates.delete(key)) return true
    candidates.set(key, true)
    return false
  }

  const isUsable = () => pauses === 0 && isLive()
  const get = (key: string) => (isUsable() ? entries.get(key) : undefined)

  function beginRead(): CacheRead<V> {
    const read: ActiveRead = { dropped: new Set(), isCleared: !isUsable() }
    activeReads.add(read)
    return {
      fill(key, value) {
        if (read.isCleared || read.dropped.has(toId(key)) || !isUsable() || !isAdmitted(key, value)) return
        entries.set(key, value)
        // A value larger than the whole cache is not kept, and has pushed out the earlier one of its key.
        if (!entries.has(key)) return forgetKey(key)
        const keys = keysById.get(toId(key)) ?? new Set()
        keysById.set(toId(key), keys.add(key))
      },
      end: () => {
        activeReads.delete(read)
      },
    }
  }

  async function load(key: string, from: () => Promise<V>): Promise<V> {
    const read = beginRead()
    try {
      const value = await from()
      read.fill(key, value)
      return value
    } finally {
      read.end()
    }
  }

  return {
    get,
    beginRead,
    read(key, from) {
      const known = get(key)
      if (known !== undefined) return Promise.resolve(known)
      if (!isUsable()) return load(key, from)
      const running = shared.get(key)
      if (running !== undefined) return running.loaded

      const entry = { loaded: load(key, from) }
      shared.set(key, entry)
      const forget = () => {
        if (shared.get(key) === entry) shared.delete(key)
      }
      entry.loaded.then(forget, forget)
      return entry.loaded
    },
    drop(id) {
      version += 1
      for (const key of [...(keysById.get(id) ?? [])]) entries.delete(key)
      for (const read of activeReads) read.dropped.add(id)
      for (const key of shared.keys()) if (toId(key) === id) shared.delete(key)
    },
    clear() {
      version += 1
      entries.clear()
      shared.clear()
      for (const read of activeReads) read.isCleared = true
    },
    pause() {
      pauses += 1
      shared.clear()
      return () => {
        pauses -= 1
      }
    },
    get isPaused() {
      return pauses > 0
    },
    get isEmpty() {
      return entries.size === 0 && activeReads.size === 0
    },
    get version() {
      return version
    },
  }
}
