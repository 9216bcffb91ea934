import type { Source } from '../../contract/sources.ts'
import { type ResolvedEntry, resolveEntries } from '../../entries/resolve-entries.ts'
import { noSuchEntry } from '../../sources/one-by-one.ts'
import { SourceError } from '../../sources/transport/errors.ts'
import type { PlanDeps } from './plan-input.ts'

interface EntryReference {
  source: Source
  id: string
  signal: AbortSignal
}

/** Reads an entry of a source in terms of the catalogue; where that fails, answers why. @throws the signal's reason */
export async function readEntry(
  deps: PlanDeps,
  { source, id, signal }: EntryReference,
): Promise<ResolvedEntry | SourceError> {
  await deps.failpoint('approval:reading-source')
  try {
    const [resolved] = await resolveEntries(deps, [await deps.sources[source].read(id, { signal })])
    return resolved ?? noSuchEntry(source)
  } catch (error) {
    if (error instanceof SourceError) return error
    throw error
  }
}
