import { z } from 'zod'
import { ID_FORMS, SOURCE_POLICIES } from '../../contract/sources.ts'
import type { SourceEntry, SourceParts } from './entries.ts'
import type { ReadOptions, SourceReader } from './source-reader.ts'
import { EntryError, SourceError } from './transport/errors.ts'

interface ReaderParts<N extends keyof SourceParts>
  extends Pick<SourceReader<N>, 'name' | 'openForMs' | 'readPage' | 'cursorSince'> {
  /** Reads what the source has of some ids, each in the source's form. @throws SourceError */
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

/** Reads the rows of some ids. A row without a readable id may belong to any id without a row, as may a row of the next page. */
export function readRows<E>(
  ids: readonly string[],
  { rows, hasMore = false }: { rows: readonly unknown[]; hasMore?: boolean | undefined },
  read: (row: unknown) => E,
): Map<string, E> {
  const byId = new Map(rows.map((row) => [Row.safeParse(row).data?.id, row]))
  const isAnyLost = hasMore || byId.has(undefined)
  return new Map(ids.filter((id) => isAnyLost || byId.has(id)).map((id) => [id, read(byId.get(id))]))
}

export const noSuchEntry = (source: keyof SourceParts) =>
  new EntryError(source, 'not-found', 'the source has no such entry')

/** A failure of a source as a value. @throws any other error */
export function toSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  throw error
}
