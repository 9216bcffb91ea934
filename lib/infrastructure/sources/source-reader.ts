import { z } from 'zod'
import { ID_FORMS, SOURCE_POLICIES } from '../../contract/sources.ts'
import type { SourceEntry, SourceParts } from './entries.ts'
import { EntryError, SourceError } from './transport/errors.ts'

export interface ReadOptions {
  signal?: AbortSignal
  /** True where nobody waits for the answer: it takes at most half of the source's permits. */
  isBackground?: boolean
}

/** A page of a source. Its pages together are the whole source. */
export interface SourcePage<N extends keyof SourceParts> {
  /** An error for each entry that the source sends in another form. */
  entries: readonly (SourceEntry<N> | EntryError)[]
  /** The begin of the next page, or after the last page that of the next walk. Null stands for the beginning of the source. */
  cursor: string | null
  isLast: boolean
}

export interface PageOptions extends ReadOptions {
  /** The consoles of RetroAchievements that are read. */
  consoles: readonly number[]
}

export interface SourceReader<N extends keyof SourceParts> {
  name: N
  isOn: boolean
  /** Milliseconds until another call makes sense: above 0 while its circuit is open. */
  openForMs(): number
  /** Reads one entry. @throws SourceError */
  read(id: string, options?: ReadOptions): Promise<SourceEntry<N>>
  /**
   * Reads at most as many entries as one request to the source can (`batchSize` of its policy). An id without an entry, or
   * one whose entry is malformed, has an error of its own.
   * @throws SourceError when nothing could be read
   */
  readMany(ids: readonly string[], options?: ReadOptions): Promise<Map<string, SourceEntry<N> | EntryError>>
  /** Reads the page at a cursor, null for the first one. Absent where the source cannot be walked, or is off. */
  readPage?(cursor: string | null, options: PageOptions): Promise<SourcePage<N>>
  /** Makes the cursor before the first change since a time. Absent when the source has no order of changes. */
  cursorSince?(time: Date): string
}

interface ReaderParts<N extends keyof SourceParts>
  extends Pick<SourceReader<N>, 'name' | 'openForMs' | 'readPage' | 'cursorSince'> {
  /** Reads the entries of some ids, each in the form of the source. @throws SourceError */
  readBatch(ids: readonly string[], options: ReadOptions): Promise<ReadonlyMap<string, SourceEntry<N> | EntryError>>
}

export function createReader<N extends keyof SourceParts>({ readBatch, ...parts }: ReaderParts<N>): SourceReader<N> {
  const { name } = parts
  const { batchSize } = SOURCE_POLICIES[name]

  async function readMany(wanted: readonly string[], options: ReadOptions = {}) {
    const ids = [...new Set(wanted)].filter((id) => ID_FORMS[name].test(id))
    if (ids.length > batchSize) throw new RangeError(`at most ${batchSize} ids at once`)
    const read = ids.length === 0 ? undefined : await readBatch(ids, options)
    return new Map(wanted.map((id) => [id, read?.get(id) ?? noSuchEntry(name)]))
  }

  return {
    ...parts,
    isOn: true,
    readMany,
    async read(id, options) {
      const [entry = noSuchEntry(name)] = (await readMany([id], options)).values()
      if (entry instanceof EntryError) throw entry
      return entry
    },
  }
}

export function createSwitchedOff<N extends keyof SourceParts>(name: N): SourceReader<N> {
  const refuse = async () => {
    throw new SourceError(name, 'off', 'the source is switched off')
  }
  return { name, isOn: false, openForMs: () => 0, read: refuse, readMany: refuse }
}

const Row = z.object({ id: z.union([z.string(), z.number()]).transform(String) })

/** Reads the rows of some ids. A row without a readable id, or a row of a further page, may belong to each id without a row. */
export function readRows<E>(
  ids: readonly string[],
  { rows, hasMore = false }: { rows: readonly unknown[]; hasMore?: boolean | undefined },
  read: (row: unknown) => E,
): Map<string, E> {
  const byId = new Map(rows.map((row) => [Row.safeParse(row).data?.id, row]))
  const mayHaveOthers = hasMore || byId.has(undefined)
  return new Map(ids.filter((id) => mayHaveOthers || byId.has(id)).map((id) => [id, read(byId.get(id))]))
}

export const noSuchEntry = (source: keyof SourceParts) =>
  new EntryError(source, 'not-found', 'the source has no such entry')

/** Returns a failure of a source as a value. @throws any other error */
export function toSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  throw error
}
