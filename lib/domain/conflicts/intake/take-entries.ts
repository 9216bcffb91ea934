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

/** Dependencies of the intake of entries. */
export type TakeDeps = Pick<ConflictsDeps, 'db' | 'instance' | 'feed' | 'failpoint' | 'pace'> & {
  conflictCounts: Pick<ConflictsDeps['conflictCounts'], 'expire'>
  emit: { conflicts: Pick<ConflictsDeps['emit']['conflicts'], 'applied'> }
  batchWriter: Pick<BatchWriter, 'wake'>
}

interface TakeOptions {
  syncNew: SyncNew
  /** Writes nothing, and answers what would become of the entries. */
  isDryRun?: boolean
  /** Ends the work between two chunks: those before are written. */
  signal?: AbortSignal
}

/** Entries that are read, matched and written together: few, so that no command takes long. */
const CHUNK = 8
/** Each lost try means that another process changed the record. */
const MAX_TRIES = 20
const NEVER = AbortSignal.any([])

const BUSY: Verdict = { outcome: 'refused', gameId: null, reason: null, message: MESSAGES.entryBusy, change: null }

const isEntry = (result: HandedEntry | EntryResult): result is HandedEntry => 'entryHash' in result

interface Taken {
  /** Null where somebody else changed the record meanwhile. */
  verdicts: (Verdict | null)[]
  written: VersionedEntry[]
}

/** Takes entries of different ids. */
async function takeTogether(
  deps: TakeDeps,
  input: JudgeInput & { isDryRun: boolean },
  entries: readonly HandedEntry[],
): Promise<Taken> {
  const { source } = input
  const ids = entries.map(({ externalId }) => externalId)
  const standings = await loadStandings(deps, source, ids)
  const verdicts = await judgeEntries(
    deps,
    input,
    entries.map((entry) => ({ entry, standing: standings(entry.externalId) })),
  )
  await deps.failpoint('intake:judged')
  if (input.isDryRun) return { verdicts, written: [] }
  const writes = ids.flatMap((externalId, index) => {
    const change = verdicts[index]?.change
    return change ? { externalId, record: standings(externalId).record, change } : []
  })
  const written = await writeRecords(deps, source, writes)
  const stored = new Set(written.map(({ externalId }) => externalId))
  const isLost = ({ change }: Verdict, index: number) => change !== null && !stored.has(ids[index] ?? '')
  return { verdicts: verdicts.map((verdict, index) => (isLost(verdict, index) ? null : verdict)), written }
}

/** Picks the first entries of different ids: those of one id are taken one after another, and the last says what it is. */
function pickChunk<E extends { entry: HandedEntry }>(open: readonly E[]): E[] {
  const firsts = new Map<string, E>()
  for (const each of open) {
    if (firsts.size === CHUNK) break
    if (!firsts.has(each.entry.externalId)) firsts.set(each.entry.externalId, each)
  }
  return [...firsts.values()]
}

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
  const results: (HandedEntry | EntryResult)[] = readEntries(list)
  const entries = results.filter(isEntry)
  const platforms = entries.flatMap((entry) => [
    ...entry.platforms,
    ...entry.entries.flatMap(({ platforms }) => platforms ?? []),
  ])
  const toPlatformIds = await findPlatforms(deps, source, platforms)
  const input = { source, syncNew, toPlatformIds, isDryRun }
  const ids = [...new Set(entries.map(({ externalId }) => externalId))]
  const written: VersionedEntry[] = []

  let left = results.flatMap((entry, index) => (isEntry(entry) ? { index, entry, tries: 0 } : []))
  try {
    while (left.length > 0) {
      const chunk = pickChunk(left)
      const together = chunk.map(({ entry }) => entry)
      const taken = await deps.pace.run(signal, () => takeTogether(deps, input, together))
      written.push(...taken.written)
      for (const [place, each] of chunk.entries()) {
        each.tries += 1
        const verdict = taken.verdicts[place] ?? (each.tries < MAX_TRIES ? null : BUSY)
        if (verdict === null) continue
        const { change: _, gameId, ...result } = verdict
        results[each.index] = { id: each.entry.externalId, gameId: gameId?.toHexString() ?? null, ...result }
      }
      left = left.filter(({ index, entry }) => results[index] === entry)
    }
  } finally {
    if (written.length > 0) {
      deps.conflictCounts.expire()
      const inOrder = ids.flatMap((id) => written.findLast(({ externalId }) => externalId === id) ?? [])
      deps.emit.conflicts.applied(source, inOrder)
      deps.batchWriter.wake(source)
    }
  }
  await deps.failpoint('intake:announced')
  return results.flatMap((result) => (isEntry(result) ? [] : [result]))
}
