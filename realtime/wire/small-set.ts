/** A set that is as cheap as its members until it has more than two: an empty `Set` takes 180 bytes. */
export class SmallSet<T extends string> implements Set<T> {
  private first: T | undefined = undefined
  private second: T | undefined = undefined
  private more: Set<T> | undefined = undefined

  get size(): number {
    if (this.more !== undefined) return this.more.size
    return (this.first === undefined ? 0 : 1) + (this.second === undefined ? 0 : 1)
  }

  has(value: T): boolean {
    return this.more?.has(value) ?? (this.first === value || this.second === value)
  }

  add(value: T): this {
    if (this.has(value)) return this
    if (this.more !== undefined) this.more.add(value)
    else if (this.first === undefined) this.first = value
    else if (this.second === undefined) this.second = value
    else this.more = new Set([this.first, this.second, value])
    return this
  }

  delete(value: T): boolean {
    if (this.more !== undefined) return this.more.delete(value)
    if (!this.has(value)) return false
    // The order is that in which they were added.
    if (this.first === value) this.first = this.second
    this.second = undefined
    return true
  }

  clear(): void {
    this.first = undefined
    this.second = undefined
    this.more = undefined
  }

  forEach(visit: (value: T, same: T, set: Set<T>) => void, self?: unknown): void {
    for (const value of this) visit.call(self, value, value, this)
  }

  *values(): SetIterator<T> {
    if (this.more !== undefined) {
      yield* this.more
      return
    }
    const { first, second } = this
    if (first !== undefined) yield first
    // The consumer of the iterator may have deleted the first.
    if (second !== undefined && this.has(second)) yield second
  }

  keys(): SetIterator<T> {
    return this.values()
  }

  *entries(): SetIterator<[T, T]> {
    for (const value of this) yield [value, value]
  }

  [Symbol.iterator](): SetIterator<T> {
    return this.more?.[Symbol.iterator]() ?? this.values()
  }

  get [Symbol.toStringTag](): string {
    return 'SmallSet'
  }
}
