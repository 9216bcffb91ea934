import type { ConflictItem, ConflictRow, ConflictState, ConflictSummary } from '../contract/conflicts.ts'
import type { ConflictDecided } from '../contract/namespaces/conflicts.ts'
import type { Source } from '../contract/sources.ts'
import { createLive, type LiveFacts, type LiveParts, type LiveStatus } from './create-live.ts'
import { onUserChange } from './session.ts'

export interface ConflictsState extends LiveFacts {
  isLive: boolean
  /** Counts of waiting and queued conflicts, of the source or of all. */
  summary: ConflictSummary | null
  rows: readonly ConflictRow[]
  total: number
  /** The conflict that is open; null while it loads and when there is none. */
  item: ConflictItem | null
  /** True when the open conflict was read and does not exist. */
  isUnknown: boolean
  /** The decision of the open conflict by somebody else, made while it was open. */
  decidedMeanwhile: ConflictDecided | null
}

export interface ConflictsFilter {
  state?: ConflictState
  automatic?: 'true' | 'false'
  /** Decided by the matcher within so many days. */
  days?: number
  search?: string
  page?: number
}

export interface ConflictsOptions extends ConflictsFilter {
  take?: number
}

export type LiveConflicts = ReturnType<typeof followConflicts>

export type ConflictId = Pick<ConflictItem, 'source' | 'externalId'>

export const isSameConflict = (one: ConflictId, other: ConflictId): boolean =>
  one.source === other.source && one.externalId === other.externalId

const NOTHING: Omit<ConflictsState, 'isLive' | keyof LiveFacts> = {
  summary: null,
  rows: [],
  total: 0,
  item: null,
  isUnknown: false,
  decidedMeanwhile: null,
}

/** Follows the conflicts of a source, or of all, with the open conflict: a read follows each event, so the last read is the truth. */
export function followConflicts(
  { call, socket, session, later }: LiveParts<'/conflicts'>,
  source: Source | undefined,
  { take = 20, ...initial }: ConflictsOptions = {},
) {
  let shown = NOTHING
  let filter: ConflictsFilter = initial
  let opened: ConflictId | null = null
  const read = (key: string, signal: AbortSignal) => (key === 'item' ? readItem(signal) : readList(signal))
  const live = createLive({ socket, later, toState, read })
  const [lists, items] = [live.reads('list'), live.reads('item')]

  function toState(facts: LiveFacts): ConflictsState {
    const isLive = socket.connection.get().status === 'live'
    return { ...shown, ...facts, isLive }
  }

  function change(changes: Partial<typeof NOTHING>, status?: LiveStatus) {
    shown = { ...shown, ...changes }
    live.show(status)
  }

  async function readList(signal: AbortSignal): Promise<void> {
    const query = { ...(source && { source }) }
    const [summary, { results: rows, total }] = await Promise.all([
      call('GET /conflicts', { query, signal }),
      call('GET /conflicts/list', { query: { ...query, ...filter, take }, signal }),
    ])
    if (!signal.aborted) change({ summary, rows, total }, 'ready')
  }

  async function readItem(signal: AbortSignal): Promise<void> {
    if (opened === null) return
    const { item } = await call('GET /conflicts/:source/:externalId', { params: opened, signal })
    if (!signal.aborted) change({ item, isUnknown: item === null })
  }

  function readAgain() {
    lists.restart()
    if (opened !== null) items.restart()
  }

  /** Reads again, because each conflict of the source changes the counts and the next conflict. */
  function readSource(changed: Source) {
    if (source === undefined || source === changed) lists.request()
    if (opened?.source === changed) items.request()
  }

  live.onClose(
    socket.on('conflict:decided', (event) => {
      if (opened !== null && isSameConflict(opened, event)) {
        const isMeanwhile = shown.item?.state === 'waiting' && event.state !== 'waiting'
        change({ decidedMeanwhile: isMeanwhile ? event : null })
      }
      readSource(event.source)
    }),
    socket.on('conflicts:applied', (event) => readSource(event.source)),
    socket.connection.subscribe(() => {
      live.show()
      if (socket.connection.get().status === 'live') readAgain()
    }),
    onUserChange(session, readAgain),
  )
  // The namespace has no rooms to join, so a socket that is live later reads again.
  readAgain()

  return {
    ...live.store,
    filter(next: ConflictsFilter) {
      if (JSON.stringify(next) === JSON.stringify(filter)) return
      filter = next
      lists.restart()
    },
    open(conflict: ConflictId | null) {
      if (conflict && opened && isSameConflict(conflict, opened)) return
      opened = conflict
      change({ item: null, isUnknown: false, decidedMeanwhile: null })
      if (opened) items.restart()
    },
    refresh: readAgain,
  }
}
