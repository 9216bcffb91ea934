import type { SourceEntry, SourceParts } from './entries.ts'
import type { EntryError } from './transport/errors.ts'

export interface ReadOptions {
  signal?: AbortSignal
  /** True where nobody waits for the answer: it takes at most half of the source's permits. */
  isBackground?: boolean
}

/** A part of a source that is read from its beginning to its end. */
export interface SourcePage<N extends keyof SourceParts> {
  /** An entry that the source sends in another form is an error. */
  entries: readonly (SourceEntry<N> | EntryError)[]
  /** Where the next page begins: of the same walk, or of the next one after the last page; null at the beginning. */
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
  /** Reads the page behind a cursor, null for the beginning. Absent where the source cannot be walked, or is off. */
  readPage?(cursor: string | null, options: PageOptions): Promise<SourcePage<N>>
  /** Makes the cursor before the first change since a time. Absent when the source has no order of changes. */
  cursorSince?(time: Date): string
}
