type ReadPage<T> = (page: number, take: number) => Promise<{ results: T[]; total: number }>

interface PagesRead<T> {
  rows: T[]
  total: number
  pages: number
}

interface PagesOptions<T> {
  size: number
  takeMax: number
  /** Rows that can be paged to; what stands behind them cannot be read. */
  pagedMax?: number
  toKey(row: T): string
  /** Keys of rows that are read on for, beyond `size`. */
  needed?: Iterable<string>
}

/** Reads pages of a list until there are `size` rows and all that are needed, or no more; each row once. */
export async function readPages<T>(
  readPage: ReadPage<T>,
  { size, takeMax, pagedMax = Number.POSITIVE_INFINITY, toKey, needed = [] }: PagesOptions<T>,
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
    const isEnd = results.length < take || page * take >= total || (page + 1) * take > pagedMax
    if (isEnd || (found.size >= size && missing.size === 0))
      return { rows: [...found.values()], total: Math.min(total, pagedMax), pages: page }
  }
}

interface BehindOptions<T> {
  /** How many rows of the list are known. */
  known: number
  /** How many are wanted behind them. */
  count: number
  takeMax: number
  /** As in `readPages`. */
  pagedMax?: number
  isKnown(row: T): boolean
  /** Whether what stands behind this row in the page belongs behind what is shown. */
  isAnchor(row: T): boolean
}

/** The smallest page that has the last known row and `count` behind it, or as many as one can have. */
function findPage({
  known,
  count,
  takeMax,
  pagedMax = Number.POSITIVE_INFINITY,
}: Omit<BehindOptions<unknown>, 'isKnown' | 'isAnchor'>) {
  let best = { page: 1, take: 1, behind: 0 }
  for (let take = 1; take <= takeMax && best.behind < count; take += 1) {
    const page = Math.ceil(known / take)
    const behind = page * take - known
    if (behind > best.behind && page * take <= pagedMax) best = { page, take, behind }
  }
  return best
}

/**
 * Reads the rows behind those that are known, in one page that begins with known ones. Undefined where it does not: the
 * list has moved.
 */
export async function readBehind<T>(
  readPage: ReadPage<T>,
  options: BehindOptions<T>,
): Promise<{ rows: T[]; total: number; isEnd: boolean } | undefined> {
  const { page, take } = findPage(options)
  const { results, total } = await readPage(page, take)
  const at = results.findIndex(options.isAnchor)
  if (at === -1) return undefined
  const behind = results.slice(at).filter((row) => !options.isKnown(row))
  const rows = behind.slice(0, options.count)
  const last = Math.min(total, options.pagedMax ?? total)
  return { rows, total: last, isEnd: page * take >= last && rows.length === behind.length }
}
