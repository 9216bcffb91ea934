/** Processes all items, `limit` at once, and returns their results in order. After a failure no item begins, and the running ones end first. */
export async function mapLimited<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>) {
  const results: R[] = []
  const failures: unknown[] = []
  const queue = items.entries()

  async function drain(): Promise<void> {
    for (const [index, item] of queue) {
      if (failures.length > 0) return
      try {
        results[index] = await work(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, drain))
  if (failures.length > 0) throw failures[0]
  return results
}
