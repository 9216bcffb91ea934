interface PagesRead<T> {
  rows: T[]
  total: number
  pages: number
}

interface PagesOptions<T> {
  size: number
  takeMax: number
  toKey(row: T): string
  /** Keys of rows that are read on for, beyond `size`. */
  needed?: Iterable<string>
}

/** Reads pages of a list until there are `size` rows and all that are needed, or no more; each row once. */
export async function readPages<T>(
  readPage: (page: number, take: number) => Promise<{ results: T[]; total: number }>,
  { size, takeMax, toKey, needed = [] }: PagesOptions<T>,
): Promise<PagesRead<T>> {
  const take = Math.min(takeMax, Math.max(1, size))
  const missing = new Set(needed)
  const found = new Map<string, T>()
  for (let page = 1; ; page += 1) {
    const { results, total } = await readPage(page, take)
    for (const row of results) {
      const key = toKey(row)
      found.set(key, row)
      missing.delete(key)
    }
    const isEnd = results.length < take || page * take >= total
    if (isEnd || (found.size >= size && missing.size === 0)) return { rows: [...found.values()], total, pages: page }
  }
}
