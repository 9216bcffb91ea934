/** A value that changes, for any view library: `get` answers the same object until something changed. */
export interface Store<T> {
  get(): T
  subscribe(listener: () => void): () => void
}

export interface WritableStore<T> extends Store<T> {
  set(value: T): void
}

export function createStore<T>(value: T): WritableStore<T> {
  const listeners = new Set<() => void>()
  let current = value

  return {
    get: () => current,
    set(next) {
      if (Object.is(next, current)) return
      current = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      // Each subscription has its own function, so that a listener subscribed twice is removed twice.
      const entry = () => listener()
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
  }
}
