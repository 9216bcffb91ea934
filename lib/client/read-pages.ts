/** Reads the first page, or the page behind `last`. */
type ReadPage<T> = (take: number, last: T | undefined) => Promise<{ results: T[]; total: number }>

interface PagesRead<T> {
  rows: T[]
  total: number
  pages: number
}

interface PagesOptions<T> {
  size: number
  takeMax: number
  toKey(row: T): string
  /** Keys of rows that must be found, even beyond `size`. */
  needed?: Iterable<string>
}

/** Reads pages of a list until `size` rows and all needed rows are found, or the list ends. Each row is answered once. */
export async function readPages<T>(
  readPage: ReadPage<T>,
  { size, takeMax, toKey, needed = [] }: PagesOptions<T>,
): Promise<PagesRead<T>> {
  const take = Math.min(takeMax, Math.max(1, size))
  const missing = new Set(needed)
  const found = new Map<string, T>()
  let last: T | undefined
  for (let page = 1; ; page += 1) {
    const { results, total } = await readPage(take, last)
    const foundBefore = found.size
    for (const row of results) {
      const key = toKey(row)
      found.set(key, row)
      missing.delete(key)
    }
    last = results.at(-1)
    const isEnd = results.length < take || found.size >= total || found.size === foundBefore
    if (isEnd || (found.size >= size && missing.size === 0)) return { rows: [...found.values()], total, pages: page }
  }
}
