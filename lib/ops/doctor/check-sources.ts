import { SOURCE_TITLES, Source } from '../../contract/sources.ts'
import { type Checks, fail, ok, warn } from '../../domain/operations/run-checks.ts'
import { toSourceError } from '../../infrastructure/sources/one-by-one.ts'
import type { Sources } from '../../infrastructure/sources/sources.ts'
import { EntryError, SourceError } from '../../infrastructure/sources/transport/errors.ts'

/** One entry of each source, which need not exist. */
const ENTRIES: Readonly<Record<Source, string>> = { igdb: '1', vndb: 'v1', hltb: '1', ra: '1' }

/** Creates a check of each source that is on, by one call with its credentials. */
export const createSourceChecks = (sources: Sources): Checks =>
  Object.fromEntries(
    Source.options
      .filter((source) => sources[source].isOn)
      .map((source) => [
        SOURCE_TITLES[source],
        async () => {
          const answer = await sources[source].read(ENTRIES[source]).catch(toSourceError)
          if (!(answer instanceof SourceError) || answer instanceof EntryError) return ok('answers')
          if (answer.failure === 'refused') return fail(`${answer.message}: correct its credentials`)
          return warn(`${answer.message}: entries and approvals wait or do without it`)
        },
      ]),
  )
