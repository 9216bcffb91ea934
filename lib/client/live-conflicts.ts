import type { ConflictItem, ConflictRow, ConflictState, ConflictSummary } from '../contract/conflicts.ts'
import type { ConflictDecided } from '../contract/conflicts-namespace.ts'
import type { Source } from '../contract/sources.ts'
import type { ApiError } from './api-error.ts'
import type { LiveParts } from './live-discussion.ts'
import { createReads, later as defaultLater } from './live-reads.ts'
import { type Conflicts, isSameConflict, NO_CONFLICTS, patchConflicts, patchItem } from './merge-conflicts.ts'
import { onUserChange } from './on-user-change.ts'
import type { HallSocket } from './socket.ts'
import { createStore, type Store } from './store.ts'

export interface ConflictsState {
  status: 'loading' | 'ready' | 'failed'
  isLive: boolean
  /** Counts of waiting and queued conflicts, of the source or of all. */
  summary: ConflictSummary | null
  rows: readonly ConflictRow[]
  total: number
  /** The conflict that is open; null while it loads and when there is none. */
  item: ConflictItem | null
  /** Whether the open conflict was read and is unknown. */
  isUnknown: boolean
  /** The decision of the open conflict that came while it was looked at. */
  decidedMeanwhile: ConflictDecided | null
  error: ApiError | null
}

interface ConflictsFilter {
  state?: ConflictState
  search?: string
  /** From 1, which is shown where it is left out. */
  page?: number
}

export interface ConflictsOptions extends ConflictsFilter {
  /** How many rows a page has. */
  take?: number
}

/** The conflicts of a source, or of all, kept up to date, with the one that is looked at. */
export interface LiveConflicts extends Store<ConflictsState> {
  /** Shows the rows of another filter or page. */
  filter(filter: ConflictsFilter): void
  /** Looks at a conflict; null at none. */
  open(conflict: { source: Source; externalId: string } | null): void
  refresh(): void
  close(): void
}

interface ConflictsParts extends LiveParts {
  socket: Pick<HallSocket<'/conflicts'>, 'on' | 'connection'>
}

/** Follows conflicts: each event is followed by a read that was asked for after it, so the last read is the truth. */
export function followConflicts(
  { call, socket, session, later = defaultLater }: ConflictsParts,
  source: Source | undefined,
  { take = 20, ...given }: ConflictsOptions = {},
): LiveConflicts {
  let conflicts: Conflicts = NO_CONFLICTS
  let status: ConflictsState['status'] = 'loading'
  const failures = new Map<'list' | 'item', ApiError>()
  let filter: ConflictsFilter = given
  let opened: { source: Source; externalId: string } | null = null
  let item: ConflictItem | null = null
  let isUnknown = false
  let decidedMeanwhile: ConflictDecided | null = null
  let isClosed = false
  const store = createStore(toState())
  const lists = createReads({ read: readList, onEnd: (failure) => end('list', failure), later })
  const items = createReads({ read: readItem, onEnd: (failure) => end('item', failure), later })

  function toState(): ConflictsState {
    return {
      ...conflicts,
      status,
      isLive: socket.connection.get().status === 'live',
      item,
      isUnknown,
      decidedMeanwhile,
      error: [...failures.values()].at(-1) ?? null,
    }
  }

  function show() {
    if (!isClosed) store.set(toState())
  }

  function end(of: 'list' | 'item', failure: ApiError | null) {
    if (failure === null) failures.delete(of)
    else failures.set(of, failure)
    if (status === 'loading') status = 'failed'
    show()
  }

  async function readList(signal: AbortSignal): Promise<void> {
    const query = { ...(source && { source }) }
    const [summary, { results: rows, total }] = await Promise.all([
      call('GET /conflicts', { query, signal }),
      call('GET /conflicts/list', { query: { ...query, ...filter, take }, signal }),
    ])
    if (signal.aborted) return
    conflicts = { summary, rows, total }
    status = 'ready'
    show()
  }

  async function readItem(signal: AbortSignal): Promise<void> {
    if (opened === null) return
    const found = await call('GET /conflicts/:source/:externalId', { params: opened, signal })
    if (signal.aborted) return
    item = found.item
    isUnknown = item === null
    show()
  }

  function readAgain() {
    lists.restart()
    if (opened !== null) items.restart()
  }

  /** How much waits, and which is next, changes with every conflict of the source. */
  function askAgain(changed: Source) {
    if (source === undefined || source === changed) lists.ask()
    if (opened?.source === changed) items.ask()
  }

  const ends = [
    socket.on('conflict:decided', (event) => {
      if (opened !== null && isSameConflict(opened, event)) {
        decidedMeanwhile = item?.state === 'waiting' && event.state !== 'waiting' ? event : null
      }
      conflicts = patchConflicts(conflicts, event)
      item = item && patchItem(item, event)
      askAgain(event.source)
      show()
    }),
    socket.on('conflicts:applied', (event) => askAgain(event.source)),
    socket.connection.subscribe(() => {
      show()
      if (socket.connection.get().status === 'live') readAgain()
    }),
    onUserChange(session, readAgain),
  ]
  // Every socket of the namespace hears of everything, so there is nothing to join; without one the reads still answer.
  readAgain()

  return {
    get: store.get,
    subscribe: store.subscribe,
    filter(next) {
      filter = next
      lists.restart()
    },
    open(conflict) {
      if (conflict && opened && isSameConflict(conflict, opened)) return
      opened = conflict
      item = null
      isUnknown = false
      decidedMeanwhile = null
      show()
      items.restart()
    },
    refresh: readAgain,
    close() {
      isClosed = true
      for (const end of ends) end()
      lists.close()
      items.close()
    },
  }
}
