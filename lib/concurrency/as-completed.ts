interface AsCompletedOptions<T, R> {
  /** How many items are worked on at once. */
  limit: number
  /** Must not reject: its result says how it ended. */
  work: (item: T) => Promise<R>
  /** Asked before each item is begun; what was begun goes on. */
  mayBegin: () => boolean
}

/** Works on items in their order and yields each result as it is known. */
export async function* asCompleted<T, R>(
  items: Iterable<T>,
  { limit, work, mayBegin }: AsCompletedOptions<T, R>,
): AsyncGenerator<R> {
  const queue = items[Symbol.iterator]()
  const running = new Set<Promise<() => R>>()
  function beginNext(): void {
    if (!mayBegin()) return
    const next = queue.next()
    if (next.done) return
    const task = work(next.value).then((result) => () => {
      running.delete(task)
      return result
    })
    running.add(task)
  }

  for (let slot = 0; slot < limit; slot++) beginNext()
  while (running.size > 0) {
    const take = await Promise.race(running)
    yield take()
    beginNext()
  }
}
