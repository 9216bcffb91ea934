import { SOURCE_TITLES, Source } from '../../contract/sources.ts'
import { type Checks, fail, ok, warn } from '../../domain/operations/run-checks.ts'
import { toSourceError } from '../../infrastructure/sources/create-reader.ts'
import type { Sources } from '../../infrastructure/sources/sources.ts'
import { EntryError, SourceError } from '../../infrastructure/sources/transport/errors.ts'

/** An entry of each source, which need not exist. */
const ENTRIES = { igdb: '1', vndb: 'v1', hltb: '1', ra: '1' }

export function sourceChecks(sources: Sources): Checks {
  const check = (source: Source) => async () => {
    const answer = await sources[source].read(ENTRIES[source]).catch(toSourceError)
    if (!(answer instanceof SourceError) || answer instanceof EntryError) return ok('answers')
    if (answer.failure === 'refused') return fail(`${answer.message}: correct its credentials`)
    return warn(`${answer.message}: entries and approvals wait or do without it`)
  }
  const on = Source.options.filter((source) => sources[source].isOn)
  return Object.fromEntries(on.map((source) => [SOURCE_TITLES[source], check(source)]))
}
