import type { Source } from '../../contract/sources.ts'
import type { StoredSubject } from '../../db/collections/conflicts.ts'
import { isAnswerLost } from '../../db/is-database-unreachable.ts'
import { type ResolvedEntry, resolveEntries } from '../../entries/resolve-entries.ts'
import type { SourceEntry } from '../../sources/entries.ts'
import { SourceError, wasNotSent } from '../../sources/transport/errors.ts'
import { chunk } from '../../values/chunk.ts'
import type { WriterDeps } from './deps.ts'
import { entryFromRecord, listPlatformIds } from './entry-from-record.ts'
import { chosenEntryId, needsEntry, type QueuedDecision } from './find-decisions.ts'

interface ReadEntry {
  resolved: ResolvedEntry
  /** The entry as its record keeps it; null where the record itself was read. */
  externalData: StoredSubject | null
}

/** A record with its entry, the reason why it has none, or null where its decision needs none. */
export interface LoadedDecision {
  record: QueuedDecision
  entry: ReadEntry | Error | null
}

interface LoadDecisionsInput {
  source: Source
  records: readonly QueuedDecision[]
  signal: AbortSignal
}

type ReadDeps = Pick<WriterDeps, 'db' | 'sources'>

/** Entries of one request, where a source gives several. */
const BATCH_SIZES: Record<Source, number> = { igdb: 50, vndb: 100, hltb: 1, ra: 1 }

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

async function askSource(
  { sources }: ReadDeps,
  { source, records, signal }: LoadDecisionsInput,
): Promise<Map<string, SourceEntry | SourceError>> {
  const [id = '', ...others] = records.map(chosenEntryId)
  if (others.length > 0) return await sources[source].readMany([id, ...others], { signal })
  return new Map([[id, await sources[source].read(id, { signal })]])
}

async function readFromSource(deps: ReadDeps, input: LoadDecisionsInput): Promise<LoadedDecision[]> {
  const answer = await askSource(deps, input)
  const found = [...answer.values()].filter((entry): entry is SourceEntry => !(entry instanceof SourceError))
  const resolved = new Map((await resolveEntries(deps, found)).map((each) => [each.id, each]))

  return input.records.map((record): LoadedDecision => {
    const id = chosenEntryId(record)
    const entry = answer.get(id)
    const own = resolved.get(id)
    if (entry === undefined || entry instanceof SourceError || own === undefined) {
      return {
        record,
        entry:
          entry instanceof SourceError ? entry : new SourceError(input.source, 'not-found', 'there is no such entry'),
      }
    }
    return {
      record,
      entry: { resolved: own, externalData: { ...entry.subject, platformIds: own.fields.platformIds ?? [] } },
    }
  })
}

/** Reads entries as their records keep them. */
async function readFromRecords({ db }: ReadDeps, { records }: LoadDecisionsInput): Promise<LoadedDecision[]> {
  const firstPlatforms = records.flatMap((record) =>
    record.source === 'ra' ? listPlatformIds(record).slice(0, 1) : [],
  )
  const consoles = await db.platforms
    .find({ _id: { $in: firstPlatforms } }, { projection: { raConsoleId: 1 } })
    .toArray()
  const consoleIds = new Map(consoles.map(({ _id, raConsoleId }) => [_id.toHexString(), raConsoleId]))

  return records.map((record): LoadedDecision => {
    const [platformId] = listPlatformIds(record)
    const resolved = entryFromRecord(record, consoleIds.get(platformId?.toHexString() ?? ''))
    return { record, entry: resolved instanceof SourceError ? resolved : { resolved, externalData: null } }
  })
}

/**
 * Reads the entries that decisions need, a request's worth at a time. Where a request for several fails, each is read by
 * itself, so that one bad entry does not hold up the others. While the circuit of the source is open, or no permit comes, the
 * rest is left out.
 * @throws the signal's reason, and the database's error when it is out of reach
 */
export async function* loadDecisions(deps: ReadDeps, input: LoadDecisionsInput): AsyncGenerator<LoadedDecision[]> {
  const { source, signal } = input
  const { isOn } = deps.sources[source]
  const isRead = ({ decision }: QueuedDecision) => needsEntry(source, decision)
  const unread = input.records.filter((record) => !isRead(record))
  if (unread.length > 0) yield unread.map((record) => ({ record, entry: null }))

  async function read(records: QueuedDecision[]): Promise<LoadedDecision[] | Error> {
    try {
      return await (isOn ? readFromSource : readFromRecords)(deps, { ...input, records })
    } catch (error) {
      if (signal.aborted || isAnswerLost(error)) throw error
      return toError(error)
    }
  }

  for (const group of chunk(input.records.filter(isRead), BATCH_SIZES[source])) {
    const entries = await read(group)
    if (!(entries instanceof Error)) {
      yield entries
      continue
    }
    if (wasNotSent(entries)) return
    for (const record of group) {
      const own = group.length > 1 ? await read([record]) : entries
      if (wasNotSent(own)) return
      yield own instanceof Error ? [{ record, entry: own }] : own
    }
  }
}
