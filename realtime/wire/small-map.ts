/** A map that is as cheap as its entry until it has more than one: an empty `Map` takes 180 bytes. */
export class SmallMap<K, V> implements Map<K, V> {
  private only: K | undefined = undefined
  private value: V | undefined = undefined
  private more: Map<K, V> | undefined = undefined

  constructor(entries: Iterable<readonly [K, V]> = []) {
    for (const [key, value] of entries) this.set(key, value)
  }

  get size(): number {
    return this.more?.size ?? (this.only === undefined ? 0 : 1)
  }

  has(key: K): boolean {
    return this.more?.has(key) ?? (this.only !== undefined && this.only === key)
  }

  get(key: K): V | undefined {
    if (this.more !== undefined) return this.more.get(key)
    return this.has(key) ? this.value : undefined
  }

  set(key: K, value: V): this {
    if (this.more === undefined && (this.only === undefined || this.only === key)) {
      this.only = key
      this.value = value
      return this
    }
    this.more ??= new Map(this)
    this.more.set(key, value)
    return this
  }

  delete(key: K): boolean {
    if (this.more !== undefined) return this.more.delete(key)
    if (!this.has(key)) return false
    this.clear()
    return true
  }

  clear(): void {
    this.only = undefined
    this.value = undefined
    this.more = undefined
  }

  forEach(visit: (value: V, key: K, map: Map<K, V>) => void, self?: unknown): void {
    for (const [key, value] of this) visit.call(self, value, key, this)
  }

  *entries(): MapIterator<[K, V]> {
    if (this.more !== undefined) yield* this.more
    // A key stands for its value, which may be undefined itself.
    else if (this.only !== undefined) yield [this.only, this.value as V]
  }

  *keys(): MapIterator<K> {
    for (const [key] of this) yield key
  }

  *values(): MapIterator<V> {
    for (const [, value] of this) yield value
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }

  get [Symbol.toStringTag](): string {
    return 'SmallMap'
  }
}
