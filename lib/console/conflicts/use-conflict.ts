import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import type { ConflictsState, LiveConflicts } from '../../client/index.ts'
import type { ConflictItem } from '../../contract/conflicts.ts'
import type { Source } from '../../contract/sources.ts'
import { hall, settle } from '../hall.ts'
import { useConnection, useStore } from '../use-live.ts'
import type { ConflictFilter } from './filter.ts'
import { isDecidedHere } from './outbox.ts'

interface Kept {
  live: LiveConflicts
  users: number
  closing?: ReturnType<typeof setTimeout>
}

const CLOSE_AFTER_MS = 1_000
const PREFETCHED_MAX = 6

const kept = new Map<Source, Kept>()
const prefetched = new Map<string, ConflictItem>()

/** One store serves all conflicts of a source that are decided one after the other. */
function keep(source: Source): LiveConflicts {
  const known = kept.get(source) ?? { live: hall.conflicts(source, { take: 1 }), users: 0 }
  kept.set(source, known)
  known.users += 1
  clearTimeout(known.closing)
  return known.live
}

function release(source: Source): void {
  const known = kept.get(source)
  if (known === undefined) return
  known.users -= 1
  if (known.users > 0) return
  known.closing = setTimeout(() => {
    kept.delete(source)
    known.live.close()
  }, CLOSE_AFTER_MS)
}

async function prefetch(source: Source, externalId: string): Promise<void> {
  const answer = await settle(hall.call('GET /conflicts/:source/:externalId', { params: { source, externalId } }))
  if (!answer.ok || answer.value.item === null) return
  const key = `${source}/${externalId}`
  prefetched.delete(key)
  prefetched.set(key, answer.value.item)
  for (const oldest of [...prefetched.keys()].slice(0, -PREFETCHED_MAX)) prefetched.delete(oldest)
}

export interface OpenConflict {
  live: LiveConflicts
  /** At once where it was read ahead; undefined while it is awaited, null for one that is unknown. */
  item: ConflictItem | null | undefined
  decidedMeanwhile: ConflictsState['decidedMeanwhile']
  error: ConflictsState['error']
}

/** A conflict, live, with the next one read ahead. */
export function useConflict(source: Source, externalId: string): OpenConflict {
  const live = useMemo(() => keep(source), [source])
  const state = useStore(live)

  useEffect(() => () => release(source), [source])
  useConnection('/conflicts')
  useLayoutEffect(() => live.open({ source, externalId }), [live, externalId])

  const isRead = state.item?.externalId === externalId
  const item = isRead ? state.item : state.isUnknown ? null : prefetched.get(`${source}/${externalId}`)
  const next = item?.nextExternalId
  useEffect(() => {
    if (next) void prefetch(source, next)
  }, [source, next])

  return { live, item, decidedMeanwhile: isRead ? state.decidedMeanwhile : null, error: state.error }
}

type ConflictId = Pick<ConflictItem, 'source' | 'externalId'>

/** The next conflict of the filter, or of the source where there is none, that nobody has decided here. */
export async function findNext(item: ConflictItem, filter: ConflictFilter): Promise<ConflictId | null> {
  const { source, externalId, nextExternalId } = item
  const isSame = (other: ConflictId) => other.source === source && other.externalId === externalId
  const isFree = (other: ConflictId) => !isSame(other) && !isDecidedHere(other)
  const isFiltered = filter.state !== undefined || filter.search !== undefined
  if (!isFiltered) {
    const next = nextExternalId === null ? null : { source, externalId: nextExternalId }
    if (next === null || isFree(next)) return next
  }
  // A decision in the outbox is still waiting for the service.
  const query = { source, state: 'waiting', ...filter, take: 50 } as const
  const answer = await settle(hall.call('GET /conflicts/list', { query }))
  const rows = answer.ok ? answer.value.results : []
  const at = rows.findIndex(isSame)
  return [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))].find(isFree) ?? null
}
