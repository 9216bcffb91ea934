import { LRUCache } from 'lru-cache'

export type ExactCache<V extends object> = ReturnType<typeof createExactCache<V>>

/** The size of a key, its place in the maps and the overhead of its value. */
const ENTRY_BYTES = 250

interface Entry<V> {
  id: string
  /** Undefined where the load found nothing. */
  value: V | undefined
}

/**
 * A cache that never answers a value from before a change. A value belongs to an id, and has a name where an id has several.
 * Each change drops its id, and a load that began before the drop does not fill the cache.
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
  const entries = new LRUCache<string, Entry<V>, { id: string; load: () => Promise<V | undefined> }>({
    maxSize: maxBytes,
    sizeCalculation: ({ value }) => (value === undefined ? maxBytes + 1 : sizeOf(value) + ENTRY_BYTES),
    fetchMethod: async (_key, _stale, { context: { id, load } }) => ({ id, value: await load() }),
    // A load whose key was dropped still answers its callers.
    ignoreFetchAbort: true,
    dispose: ({ id }, key, reason) => {
      if (reason === 'evict') forgetKey(id, key)
    },
  })
  const keysById = new LRUCache<string, Set<string>>({
    maxSize: Math.ceil(maxBytes / ENTRY_BYTES),
    sizeCalculation: () => 1,
    dispose: (keys) => {
      for (const key of keys) entries.delete(key)
    },
  })
  let version = 0

  const keyOf = (id: string, name: string) => `${id} ${name}`

  function forgetKey(id: string, key: string): void {
    const keys = keysById.peek(id)
    keys?.delete(key)
    if (keys?.size === 0) keysById.delete(id)
  }

  function rememberKey(id: string, key: string): void {
    const keys = keysById.get(id)
    if (keys === undefined) keysById.set(id, new Set([key]))
    else keys.add(key)
  }

  async function find<T extends V | undefined>(id: string, name: string, load: () => Promise<T>): Promise<T> {
    if (!isLive()) return await load()
    const key = keyOf(id, name)
    rememberKey(id, key)
    const entry = await entries.fetch(key, { context: { id, load } })
    // One key is always loaded in the same way.
    return entry?.value as T
  }

  return {
    get: (id: string, name = ''): V | undefined => (isLive() ? entries.get(keyOf(id, name))?.value : undefined),
    /** Answers from the cache or loads the value; concurrent callers of one key share a load. */
    read: (id: string, load: () => Promise<V>, name = ''): Promise<V> => find(id, name, load),
    /** Answers the values of several ids, with one load for all that are missing. */
    async readMany(ids: Iterable<string>, load: (missing: string[]) => Promise<Iterable<[string, V]>>) {
      const missing: string[] = []
      let loading: Promise<Map<string, V>> | undefined
      const loadAll = async () => {
        // Every missing id is in the list after this turn.
        await Promise.resolve()
        return new Map(await load(missing))
      }
      const found = [...new Set(ids)].map(async (id) => {
        const value = await find(id, '', async () => {
          missing.push(id)
          loading ??= loadAll()
          return (await loading).get(id)
        })
        return [id, value] as const
      })
      return new Map((await Promise.all(found)).flatMap(([id, value]) => (value === undefined ? [] : [[id, value]])))
    },
    drop(id: string): void {
      version += 1
      keysById.delete(id)
    },
    clear(): void {
      version += 1
      keysById.clear()
    },
    /** Grows with each drop. A result computed from the values is valid for the version at which its computation began. */
    get version(): number {
      return version
    },
  }
}
