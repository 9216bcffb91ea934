import { chunk } from '#lib/base/values/chunk'
import { SOURCE_POLICIES, type Source } from '#lib/contract/sources'
import type { StoredSubject } from '#lib/infrastructure/db/collections/conflicts'
import { isAnswerLost } from '#lib/infrastructure/db/is-database-unreachable'
import type { SourceEntry } from '#lib/infrastructure/sources/entries'
import { noSuchEntry } from '#lib/infrastructure/sources/source-reader'
import { SourceError, wasNotSent } from '#lib/infrastructure/sources/transport/errors'
import { type ResolvedEntry, resolveEntries } from '../../catalogue/entries/resolve-entries.ts'
import type { ConflictsDeps } from '../deps.ts'
import { objectIdsIn } from '../stored-values.ts'
import { entryFromRecord } from './entry-from-record.ts'
import { chosenEntryId, isBackground, needsEntry, type QueuedDecision } from './find-decisions.ts'

/** A record with its entry, the reason why it has none, or null where its decision needs none. */
export interface LoadedDecision {
  record: QueuedDecision
  entry: { resolved: ResolvedEntry; externalData: StoredSubject | null } | Error | null
}

interface LoadDecisionsInput {
  source: Source
  records: readonly QueuedDecision[]
  signal: AbortSignal
}

async function readFromSource(deps: ConflictsDeps, { source, records, signal }: LoadDecisionsInput) {
  const { readMany } = deps.sources[source]
  const answer: ReadonlyMap<string, SourceEntry | SourceError> = await readMany(records.map(chosenEntryId), {
    signal,
    // An approval does not wait behind what a walk matched.
    isBackground: records.every(isBackground),
  })
  const found = [...answer.values()].filter((entry): entry is SourceEntry => !(entry instanceof SourceError))
  const resolved = new Map((await resolveEntries(deps, found)).map((entry) => [entry.id, entry]))

  return records.map((record): LoadedDecision => {
    const id = chosenEntryId(record)
    const entry = answer.get(id)
    const resolvedEntry = resolved.get(id)
    if (entry instanceof SourceError) return { record, entry }
    if (entry === undefined || resolvedEntry === undefined) return { record, entry: noSuchEntry(source) }
    const externalData = { ...entry.subject, platformIds: resolvedEntry.fields.platformIds ?? [] }
    return { record, entry: { resolved: resolvedEntry, externalData } }
  })
}

async function readFromRecords({ db }: ConflictsDeps, { records }: LoadDecisionsInput): Promise<LoadedDecision[]> {
  const listConsole = ({ source, externalData }: QueuedDecision) =>
    SOURCE_POLICIES[source].entriesPerGame === 'one-a-console' ? objectIdsIn(externalData?.platformIds).slice(0, 1) : []
  const _id = { $in: records.flatMap(listConsole) }
  const consoles = await db.platforms.find({ _id }, { projection: { raConsoleId: 1 } }).toArray()

  return records.map((record): LoadedDecision => {
    const [platformId] = listConsole(record)
    const resolved = entryFromRecord(record, consoles.find((platform) => platformId?.equals(platform._id))?.raConsoleId)
    return { record, entry: resolved instanceof SourceError ? resolved : { resolved, externalData: null } }
  })
}

/**
 * Reads the entries that decisions need, a request's worth at a time. Where a request for several fails, each is read by
 * itself, so that one bad entry does not hold up the others. While the circuit of the source is open, or no permit comes, the
 * rest is left out.
 * @throws the signal's reason, and the database's error when it is out of reach
 */
export async function* loadDecisions(deps: ConflictsDeps, input: LoadDecisionsInput): AsyncGenerator<LoadedDecision[]> {
  const { source, signal } = input
  const readEntries = deps.sources[source].isOn ? readFromSource : readFromRecords
  const isRead = ({ decision }: QueuedDecision) => needsEntry(source, decision)
  const unread = input.records.filter((record) => !isRead(record))
  if (unread.length > 0) yield unread.map((record) => ({ record, entry: null }))

  /** @returns whether the source takes requests */
  async function* load(records: QueuedDecision[]): AsyncGenerator<LoadedDecision[], boolean> {
    const read = await readEntries(deps, { ...input, records }).catch((error: unknown) => {
      if (signal.aborted || isAnswerLost(error) || !(error instanceof Error)) throw error
      return error
    })
    if (!(read instanceof Error)) yield read
    else if (wasNotSent(read)) return false
    else if (records.length === 1) yield records.map((record) => ({ record, entry: read }))
    else for (const record of records) if (!(yield* load([record]))) return false
    return true
  }
  for (const group of chunk(input.records.filter(isRead), SOURCE_POLICIES[source].batchSize))
    if (!(yield* load(group))) return
}
