import { LRUCache } from 'lru-cache'

export type ExactCache<V extends object> = ReturnType<typeof createExactCache<V>>

const ID_LENGTH = 24
/** A key, its place in the maps and the value's own overhead. */
const ENTRY_BYTES = 250

interface ActiveRead {
  dropped: Set<string>
  isCleared: boolean
}

/**
 * A cache that never answers a value from before a change: each change drops its id first, and a read that began before a
 * drop does not fill. Every key begins with the id, in 24 hex characters, by which it is dropped.
 */
export function createExactCache<V extends object>({
  isLive,
  maxBytes,
  sizeOf,
}: {
  isLive: () => boolean
  maxBytes: number
  sizeOf: (value: V) => number
}) {
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

  function keep(key: string, value: V): void {
    entries.set(key, value)
    // A value larger than the whole cache is not kept, and has pushed out the earlier one of its key.
    if (!entries.has(key)) forgetKey(key)
    else keysById.set(toId(key), (keysById.get(toId(key)) ?? new Set()).add(key))
  }

  /** Loads values and keeps those that were not dropped meanwhile. */
  async function loadAndKeep(load: () => Promise<Iterable<[string, V]>>): Promise<Iterable<[string, V]>> {
    const read: ActiveRead = { dropped: new Set(), isCleared: !isLive() }
    activeReads.add(read)
    try {
      const loaded = await load()
      for (const [key, value] of loaded) {
        if (!read.isCleared && !read.dropped.has(toId(key)) && isLive()) keep(key, value)
      }
      return loaded
    } finally {
      activeReads.delete(read)
    }
  }

  async function loadOne(key: string, load: () => Promise<V>): Promise<V> {
    const value = load()
    await loadAndKeep(async () => [[key, await value]])
    return await value
  }

  return {
    /** Undefined also while the changes of other processes do not arrive. */
    get,
    /** Answers from the cache or reads; callers of one key at the same time share one read. */
    read(key: string, load: () => Promise<V>): Promise<V> {
      const known = get(key)
      if (known !== undefined) return Promise.resolve(known)
      if (!isLive()) return loadOne(key, load)
      const running = shared.get(key)
      if (running !== undefined) return running.loaded

      const entry = { loaded: loadOne(key, load) }
      shared.set(key, entry)
      const forget = () => {
        if (shared.get(key) === entry) shared.delete(key)
      }
      entry.loaded.then(forget, forget)
      return entry.loaded
    },
    /** Answers what it holds of these keys, with what the rest of them loads. */
    async readMany(keys: Iterable<string>, load: (missing: string[]) => Promise<Iterable<[string, V]>>) {
      const found = new Map<string, V>()
      const missing = new Set(keys)
      for (const key of missing) {
        const known = get(key)
        if (known !== undefined) found.set(key, known)
      }
      for (const key of found.keys()) missing.delete(key)
      if (missing.size === 0) return found
      return new Map([...found, ...(await loadAndKeep(() => load([...missing])))])
    },
    drop(id: string): void {
      version += 1
      for (const key of [...(keysById.get(id) ?? [])]) entries.delete(key)
      for (const read of activeReads) read.dropped.add(id)
      for (const key of shared.keys()) if (toId(key) === id) shared.delete(key)
    },
    clear(): void {
      version += 1
      entries.clear()
      shared.clear()
      for (const read of activeReads) read.isCleared = true
    },
    /** Grows with each drop: anything made of this cache's values is as old as the number it was made at. */
    get version(): number {
      return version
    },
  }
}
