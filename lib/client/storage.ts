export interface BrowserStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface TextStorage extends BrowserStorage {
  keys(): string[]
}

/** Makes a storage that never throws. It keeps in memory what the browser refuses, and texts beyond `lengthMax`. */
export function createStorage(
  find: () => BrowserStorage | undefined,
  lengthMax = Number.POSITIVE_INFINITY,
): TextStorage {
  const kept = new Map<string, string>()
  function use<T>(work: (stored: BrowserStorage) => T): T | undefined {
    try {
      const stored = find()
      return stored && work(stored)
    } catch {
      return undefined
    }
  }

  return {
    keys: () => [...new Set([...kept.keys(), ...(use(Object.keys) ?? [])])],
    getItem: (key) => kept.get(key) ?? use((stored) => stored.getItem(key)) ?? null,
    setItem(key, value) {
      const isStored = use((stored) => {
        if (value.length > lengthMax) return false
        stored.setItem(key, value)
        return true
      })
      if (isStored) kept.delete(key)
      else kept.set(key, value)
    },
    removeItem(key) {
      kept.delete(key)
      use((stored) => stored.removeItem(key))
    },
  }
}
