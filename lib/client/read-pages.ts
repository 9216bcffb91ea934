import { TAKE_MAX } from '../contract/limits.ts'

type ReadPage<T> = (take: number, last: T | undefined) => Promise<{ results: T[]; total: number }>

interface PagesOptions {
  size: number
  /** Ids of rows that must be found, even beyond `size`. */
  needed?: Iterable<string>
}

/** Reads pages of a list until `size` rows and all needed rows are found, or the list ends. Each row is answered once. */
export async function readPages<T extends { _id: string }>(
  readPage: ReadPage<T>,
  { size, needed = [] }: PagesOptions,
): Promise<{ rows: T[]; total: number; pages: number }> {
  const take = Math.min(TAKE_MAX, Math.max(1, size))
  const missing = new Set(needed)
  const found = new Map<string, T>()
  let last: T | undefined
  for (let pages = 1; ; pages += 1) {
    const { results, total } = await readPage(take, last)
    const foundBefore = found.size
    for (const row of results) {
      found.set(row._id, row)
      missing.delete(row._id)
    }
    last = results.at(-1)
    const isEnd = results.length < take || found.size >= total || found.size === foundBefore
    if (isEnd || (found.size >= size && missing.size === 0)) return { rows: [...found.values()], total, pages }
  }
}
