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

interface Taken {
  /** Null where somebody else changed the record meanwhile. */
  verdict: Verdict | null
  version: VersionedEntry | undefined
}

/** Takes entries of different ids. @returns what became of each, by its id */
async function takeTogether(
  deps: TakeDeps,
  input: JudgeInput & { isDryRun: boolean },
  handed: readonly HandedEntry[],
): Promise<ReadonlyMap<string, Taken>> {
  const standings = await loadStandings(deps, input, handed)
  const verdicts = await judgeEntries(deps, input, standings)
  await deps.failpoint('intake:judged')
  const writes = standings.flatMap((standing) => {
    const change = verdicts.get(standing.externalId)?.change
    return change && !input.isDryRun ? { ...standing, change } : []
  })
  const versions = await writeRecords(deps, input.source, writes)
  const lost = new Set(writes.map(({ externalId }) => externalId).filter((id) => !versions.has(id)))
  return new Map(
    [...verdicts].map(([id, verdict]) => [id, { verdict: lost.has(id) ? null : verdict, version: versions.get(id) }]),
  )
}

/** Picks the first entries of different ids. Entries of one id are taken one after another, so that the last one stands. */
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
  const platforms = results
    .filter(isEntry)
    .flatMap((entry) => [...entry.platforms, ...entry.entries.flatMap((each) => each.platforms ?? [])])
  const input = { source, syncNew, toPlatformIds: await findPlatforms(deps, source, platforms), isDryRun }
  const written = new Map<string, VersionedEntry>()

  let left = results.flatMap((entry, index) => (isEntry(entry) ? { index, entry, tries: 0 } : []))
  try {
    while (left.length > 0) {
      const chunk = pickChunk(left)
      const together = chunk.map(({ entry }) => entry)
      const taken = await deps.pace.run(signal, () => takeTogether(deps, input, together))
      for (const each of chunk) {
        each.tries += 1
        const { verdict = null, version } = taken.get(each.entry.externalId) ?? {}
        if (version) written.set(version.externalId, version)
        const final = verdict ?? (each.tries < MAX_TRIES ? null : BUSY)
        if (final === null) continue
        const { change: _, gameId, ...result } = final
        results[each.index] = { id: each.entry.externalId, gameId: gameId?.toHexString() ?? null, ...result }
      }
      left = left.filter(({ index, entry }) => results[index] === entry)
    }
  } finally {
    if (written.size > 0) {
      deps.conflictCounts.expire()
      deps.emit.conflicts.applied(source, [...written.values()])
      deps.batchWriter.wake(source)
    }
  }
  await deps.failpoint('intake:announced')
  return results.flatMap((result) => (isEntry(result) ? [] : [result]))
}
