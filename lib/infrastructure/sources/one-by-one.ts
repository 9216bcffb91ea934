import { ID_FORMS } from '../../contract/sources.ts'
import type { SourceEntry, SourceParts } from './entries.ts'
import type { ReadOptions, SourceReader } from './source-reader.ts'
import type { SendRequest, SourceClient } from './transport/client.ts'
import { EntryError, SourceError, wasNotSent } from './transport/errors.ts'

interface OneByOne<N extends keyof SourceParts> {
  name: N
  client: SourceClient
  /** @throws SourceError */
  readEntry(request: SendRequest, id: string): Promise<SourceEntry<N>>
}

export function createSwitchedOff<N extends keyof SourceParts>(name: N): SourceReader<N> {
  const refuse = async () => {
    throw new SourceError(name, 'off', 'the source is switched off')
  }
  return { name, isOn: false, openForMs: () => 0, read: refuse, readMany: refuse }
}

export function createOneByOne<N extends keyof SourceParts>(source: OneByOne<N>): SourceReader<N> {
  const { name, client, readEntry } = source

  async function read(id: string, options?: ReadOptions): Promise<SourceEntry<N>> {
    if (!ID_FORMS[name].test(id)) throw noSuchEntry(name)
    return client.call((request) => readEntry(request, id), options)
  }

  async function readMany(ids: readonly string[], options?: ReadOptions) {
    const found = new Map<string, SourceEntry<N> | SourceError>()
    let unsent: SourceError | undefined

    for (const id of new Set(ids)) {
      const result = unsent ?? (await read(id, options).catch(toSourceError))
      // Later calls would fail the same way.
      if (wasNotSent(result)) unsent = result
      if (unsent !== undefined && found.size === 0) throw unsent
      found.set(id, result)
    }
    return found
  }

  return { name, isOn: true, openForMs: client.openForMs, read, readMany }
}

export const noSuchEntry = (source: keyof SourceParts) =>
  new EntryError(source, 'not-found', 'the source has no such entry')

/** A failure of a source as a value. @throws any other error */
export function toSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  throw error
}
