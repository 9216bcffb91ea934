import { LRUCache } from 'lru-cache'

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

  const entries = new LRUCache<string, V>({
    maxSize: maxBytes,
    sizeCalculation: (value) => sizeOf(value) + ENTRY_BYTES,
    dispose: (_value, key, reason) => {
      if (reason !== 'set') forgetKey(key)
    },
  })
  const activeReads = new Set<ActiveRead>()
  const shared = new Map<string, { loaded: Promise<V> }>()
  let version = 0

  const get = (key: string) => (isLive() ? entries.get(key) : undefined)

  function beginRead(): CacheRead<V> {
    const read: ActiveRead = { dropped: new Set(), isCleared: !isLive() }
    activeReads.add(read)
    return {
      fill(key, value) {
        if (read.isCleared || read.dropped.has(toId(key)) || !isLive()) return
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
      if (!isLive()) return load(key, from)
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
    get version() {
      return version
    },
  }
}
