import type { SourceEntry, SourceParts } from './entries.ts'
import type { SourceError } from './transport/errors.ts'

export interface ReadOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal
}

export interface SourceReader<N extends keyof SourceParts> {
  name: N
  isOn: boolean
  /** Milliseconds until another call makes sense: above 0 while its circuit is open. */
  openForMs(): number
  /**
   * Reads one entry.
   * @throws SourceError
   */
  read(id: string, options?: ReadOptions): Promise<SourceEntry<N>>
  /**
   * Reads up to 100 entries in as few requests as the source has for it. An id without an entry, or one whose entry is
   * malformed, has an error of its own.
   * @throws SourceError when nothing could be read
   */
  readMany(ids: readonly string[], options?: ReadOptions): Promise<Map<string, SourceEntry<N> | SourceError>>
}
