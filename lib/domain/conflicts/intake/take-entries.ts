import type { EntriesBody, EntryResult, SyncNew } from '#lib/contract/entries'
import { MESSAGES } from '#lib/contract/messages'
import { mapLimited } from '#lib/infrastructure/concurrency/map-limited'
import type { VersionedEntry } from '#lib/infrastructure/events/emitter'
import type { ConflictsDeps } from '../deps.ts'
import { conflictId } from '../states.ts'
import type { BatchWriter } from '../writer/batch-writer.ts'
import { findPlatforms } from './find-platforms.ts'
import { judgeEntry, type Verdict } from './judge-entry.ts'
import { loadStandings } from './load-standings.ts'
import { type HandedEntry, readEntries } from './read-entries.ts'
import { writeRecord } from './write-record.ts'

/** What the intake of entries needs. */
export type TakeDeps = Pick<ConflictsDeps, 'db' | 'intake' | 'instance' | 'feed' | 'failpoint'> & {
  conflictCounts: Pick<ConflictsDeps['conflictCounts'], 'expire'>
  emit: { conflicts: Pick<ConflictsDeps['emit']['conflicts'], 'applied'> }
  batchWriter: Pick<BatchWriter, 'wake'>
}

interface TakeOptions {
  syncNew: SyncNew
  /** Writes nothing, and answers what would become of the entries. */
  isDryRun?: boolean
  /** Ends the work between two entries: those before are written. */
  signal?: AbortSignal
}

/** Entries in work: some are written while others are matched. */
const CONCURRENCY = 8
/** Each lost try means that another process changed the record. */
const MAX_TRIES = 20
const NEVER = AbortSignal.any([])

const isEntry = (result: HandedEntry | EntryResult): result is HandedEntry => 'entryHash' in result

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
  const ids = [...new Set(entries.map(({ externalId }) => externalId))]
  const [loaded, toPlatformIds] = await Promise.all([
    loadStandings(deps, source, ids),
    findPlatforms(deps, source, platforms),
  ])
  const written: VersionedEntry[] = []

  async function take(entry: HandedEntry, isFirst: boolean): Promise<Verdict> {
    const { externalId } = entry
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      signal.throwIfAborted()
      const standings = isFirst && tries === 0 ? loaded : await loadStandings(deps, source, [externalId])
      const standing = standings(externalId)
      const verdict = await judgeEntry(deps, { source, syncNew, toPlatformIds, signal }, entry, standing)
      await deps.failpoint('intake:judged')
      if (verdict.change === null || isDryRun) return verdict
      const stored = await writeRecord(deps, { source, externalId }, standing.record, verdict.change)
      if (stored === null) continue
      written.push(stored)
      return verdict
    }
    return { outcome: 'refused', gameId: null, reason: null, message: MESSAGES.entryBusy, change: null }
  }

  /** Takes the entries of one id one after another: the last says what it is. */
  async function takeAll(id: string): Promise<void> {
    let isFirst = true
    for (const [index, entry] of results.entries()) {
      if (!isEntry(entry) || entry.externalId !== id) continue
      const { change: _, gameId, ...verdict } = await take(entry, isFirst)
      results[index] = { id, gameId: gameId?.toHexString() ?? null, ...verdict }
      isFirst = false
    }
  }

  try {
    await mapLimited(ids, CONCURRENCY, takeAll)
  } finally {
    if (written.length > 0) {
      deps.conflictCounts.expire()
      const inOrder = ids.flatMap((id) => written.findLast(({ externalId }) => externalId === id) ?? [])
      deps.emit.conflicts.applied(source, inOrder)
      for (const { externalId } of written) deps.intake.unannounced.delete(conflictId({ source, externalId }))
      deps.batchWriter.wake(source)
    }
  }
  await deps.failpoint('intake:announced')
  return results.flatMap((result) => (isEntry(result) ? [] : [result]))
}
