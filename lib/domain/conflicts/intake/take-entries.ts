import type { EntriesBody, EntryResult, SyncNew } from '#lib/contract/entries'
import { MESSAGES } from '#lib/contract/messages'
import type { VersionedEntry } from '#lib/infrastructure/events/emitter'
import { findPlatforms } from '../../catalogue/platforms/find-platforms.ts'
import type { ConflictsDeps } from '../deps.ts'
import type { BatchWriter } from '../writer/batch-writer.ts'
import { type JudgeInput, judgeEntries, type Verdict } from './judge-entries.ts'
import { loadStandings } from './load-standings.ts'
import { type HandedEntry, readEntries } from './read-entries.ts'
import { writeRecords } from './write-records.ts'

export type TakeDeps = Pick<ConflictsDeps, 'db' | 'instance' | 'feed' | 'failpoint' | 'pace'> & {
  conflictCounts: Pick<ConflictsDeps['conflictCounts'], 'expire'>
  emit: { conflicts: Pick<ConflictsDeps['emit']['conflicts'], 'applied'> }
  batchWriter: Pick<BatchWriter, 'wake'>
}

interface TakeOptions {
  syncNew: SyncNew
  /** True for a run that writes nothing and answers what would become of the entries. */
  isDryRun?: boolean
  /** Aborts the work between two chunks. Earlier chunks are written. */
  signal?: AbortSignal
}

/** How many entries are read, matched and written together: few, so that no command takes long. */
const CHUNK = 8
/** Each lost try means that another process changed the record. */
const MAX_TRIES = 20
const NEVER = AbortSignal.any([])

const BUSY: Verdict = { outcome: 'refused', gameId: null, reason: null, message: MESSAGES.entryBusy, change: null }

const isEntry = (result: HandedEntry | EntryResult): result is HandedEntry => 'entryHash' in result

/** Splits entries into chunks of different ids: those of one id are taken one after another, so that the last one stands. */
function splitEntries(entries: readonly HandedEntry[]): HandedEntry[][] {
  const chunks: HandedEntry[][] = [[]]
  for (const entry of entries) {
    const last = chunks.at(-1) ?? []
    const isFull = last.length === CHUNK || last.some(({ externalId }) => externalId === entry.externalId)
    if (isFull) chunks.push([entry])
    else last.push(entry)
  }
  return chunks
}

/** Takes entries of different ids. Those that somebody else changed meanwhile have no verdict. */
async function takeTogether(
  deps: TakeDeps,
  input: JudgeInput & { isDryRun: boolean },
  handed: readonly HandedEntry[],
): Promise<{ verdicts: ReadonlyMap<string, Verdict>; versions: ReadonlyMap<string, VersionedEntry> }> {
  const standings = await loadStandings(deps, input, handed)
  const verdicts = await judgeEntries(deps, input, standings)
  await deps.failpoint('intake:judged')
  const writes = standings.flatMap((standing) => {
    const change = verdicts.get(standing.externalId)?.change
    return change && !input.isDryRun ? { ...standing, change } : []
  })
  const versions = await writeRecords(deps, input.source, writes)
  for (const { externalId } of writes) if (!versions.has(externalId)) verdicts.delete(externalId)
  return { verdicts, versions }
}

const toResult = ({ externalId: id }: HandedEntry, { change: _, gameId, ...verdict }: Verdict): EntryResult => ({
  id,
  gameId: gameId?.toHexString() ?? null,
  ...verdict,
})

/**
 * Takes entries that a parser read: queues the plain ones for the writer, leaves the doubtful ones to a person, and answers
 * what became of each, in their order. The same list again changes nothing, and a person's decision stands.
 * @throws the signal's reason, and the database's error; the entries that were written by then are announced
 */
export async function takeEntries(
  deps: TakeDeps,
  list: EntriesBody,
  { syncNew, isDryRun = false, signal = NEVER }: TakeOptions,
): Promise<EntryResult[]> {
  const { source } = list
  const read = readEntries(list)
  const entries = read.filter(isEntry)
  const platforms = entries.flatMap((entry) => [
    ...entry.platforms,
    ...entry.entries.flatMap((each) => each.platforms ?? []),
  ])
  const input = { source, syncNew, toPlatformIds: await findPlatforms(deps, source, platforms), isDryRun }
  const written = new Map<string, VersionedEntry>()
  const taken = new Map<HandedEntry, Verdict>()

  try {
    for (const chunk of splitEntries(entries)) {
      let left = chunk
      for (let tries = 0; left.length > 0 && tries < MAX_TRIES; tries++) {
        const { verdicts, versions } = await deps.pace.run(signal, () => takeTogether(deps, input, left))
        for (const [id, version] of versions) written.set(id, version)
        for (const entry of left) taken.set(entry, verdicts.get(entry.externalId) ?? BUSY)
        left = left.filter((entry) => taken.get(entry) === BUSY)
      }
    }
  } finally {
    if (written.size > 0) {
      deps.conflictCounts.expire()
      deps.emit.conflicts.applied(source, [...written.values()])
      deps.batchWriter.wake(source)
    }
  }
  await deps.failpoint('intake:announced')
  return read.map((result) => (isEntry(result) ? toResult(result, taken.get(result) ?? BUSY) : result))
}
