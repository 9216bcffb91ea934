import { setTimeout as sleep } from 'node:timers/promises'
import type { EntryResult, SyncNew } from '#lib/contract/entries'
import { SOURCE_POLICIES } from '#lib/contract/sources'
import type { SyncSource } from '#lib/contract/sync'
import { SYNC_TIMEOUTS } from '#lib/infrastructure/concurrency/timeouts'
import { toSourceError } from '#lib/infrastructure/sources/source-reader'
import { EntryError, SourceError } from '#lib/infrastructure/sources/transport/errors'
import { takeEntries } from '../conflicts/intake/take-entries.ts'
import type { WalkDeps } from './deps.ts'
import { toEntryInput } from './to-entry-input.ts'

export type TakenEntry = Pick<EntryResult, 'id' | 'outcome' | 'reason' | 'message'> & { name: string | null }

export type WalkStep =
  | { kind: 'page'; cursor: string | null; isLast: boolean; entries: readonly TakenEntry[] }
  /** The source cannot be read for now. */
  | { kind: 'pause'; message: string }

export interface WalkOptions {
  source: SyncSource
  syncNew: SyncNew
  cursor: string | null
  /** The number of entries after which the walk ends. */
  limit?: number | undefined
  isDryRun?: boolean
  /** See `SYNC_TIMEOUTS`. */
  pauseMs?: number | undefined
  /** Aborts when no further page may begin. */
  stopping: AbortSignal
  /** Aborts when the current page must end, too. */
  signal: AbortSignal
}

/** Failures that a later attempt does not mend. */
const FINAL = new Set(['refused', 'off'])

async function readPage(deps: WalkDeps, { source, cursor, stopping, signal }: WalkOptions) {
  const isByConsole = SOURCE_POLICIES[source].entriesPerGame === 'one-a-console'
  const consoles = isByConsole ? await deps.db.platforms.distinct('raConsoleId') : []
  const options = {
    consoles: consoles.filter((id) => typeof id === 'number'),
    isBackground: true,
    signal: AbortSignal.any([stopping, signal]),
  }
  const page = deps.sources[source].readPage?.(cursor, options)
  if (page === undefined) throw new SourceError(source, 'off', 'the source is switched off')
  return await page.catch(toSourceError)
}

type Row = Exclude<Awaited<ReturnType<typeof readPage>>, SourceError>['entries'][number]

async function takePage(deps: WalkDeps, rows: readonly Row[], options: WalkOptions): Promise<TakenEntry[]> {
  const { source, syncNew, isDryRun = false, signal } = options
  const entries = rows.flatMap((row) => (row instanceof EntryError ? [] : toEntryInput(row)))
  const malformed = rows.flatMap((row): TakenEntry[] =>
    row instanceof EntryError ? [{ id: null, name: null, outcome: 'refused', reason: null, message: row.message }] : [],
  )
  if (entries.length === 0) return malformed
  const results = await takeEntries(deps, { source, entries }, { syncNew, isDryRun, signal })
  return [...results.map((result, index) => ({ ...result, name: entries[index]?.name ?? null })), ...malformed]
}

/**
 * Reads a source page by page and hands the entries of each over. While the source cannot be read, the walk waits for it.
 * @throws SourceError when the source refuses the credentials, the reason of `signal`, and the database's error
 */
export async function* walkPages(deps: WalkDeps, options: WalkOptions): AsyncGenerator<WalkStep> {
  const { stopping, limit = Number.POSITIVE_INFINITY, pauseMs = SYNC_TIMEOUTS.pauseMs } = options
  let { cursor } = options
  let left = limit

  while (!stopping.aborted) {
    const page = await readPage(deps, { ...options, cursor }).catch((error: unknown) => {
      if (stopping.aborted) return null
      throw error
    })
    if (page === null) return
    if (page instanceof SourceError) {
      if (FINAL.has(page.failure)) throw page
      yield { kind: 'pause', message: page.message }
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
      continue
    }
    const rows = page.entries.slice(0, left)
    const entries = await takePage(deps, rows, options)
    await deps.failpoint('sync:taken')
    left -= rows.length
    // The next walk reads a page again of which a part is left.
    if (rows.length === page.entries.length) cursor = page.cursor
    const isLast = page.isLast || left <= 0
    yield { kind: 'page', cursor, isLast, entries }
    if (isLast) return
  }
}
