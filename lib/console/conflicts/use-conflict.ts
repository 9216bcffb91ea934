import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type ConflictId, isSameConflict } from '../../client/live-conflicts.ts'
import type { ConflictItem } from '../../contract/conflicts.ts'
import type { Source } from '../../contract/sources.ts'
import { useConnection, useLive } from '../parts/query.tsx'
import { hall, settle } from '../session.ts'
import { type ConflictFilter, LIST_TAKE, toFilterSuffix } from './filter.ts'
import { isDecidedHere } from './hold-decision.ts'

const PREFETCHED_MAX = 6
let prefetched: readonly ConflictItem[] = []

async function prefetch({ source, externalId }: ConflictId): Promise<void> {
  const answer = await settle(hall.call('GET /conflicts/:source/:externalId', { params: { source, externalId } }))
  const item = answer.ok ? answer.value.item : null
  if (item) prefetched = [item, ...prefetched.filter((other) => !isSameConflict(other, item))].slice(0, PREFETCHED_MAX)
}

export type OpenConflict = ReturnType<typeof useConflict>

/** Opens a conflict, live. Its `item` is undefined while it loads, unless it was read ahead, and null where it is unknown. */
export function useConflict(source: Source, externalId: string, filter: ConflictFilter) {
  const { live, state } = useLive(() => hall.conflicts(source, { take: 1 }), [source])
  useConnection('/conflicts')
  useLayoutEffect(() => live.open({ source, externalId }), [live, externalId])

  const isRead = state.item?.externalId === externalId
  const item = isRead
    ? state.item
    : state.isUnknown
      ? null
      : prefetched.find((other) => isSameConflict(other, { source, externalId }))
  const ahead = useRef<NextConflict | null>(null)
  useEffect(() => {
    let isLeft = false
    ahead.current = null
    if (item) {
      void findNext(item, filter).then((next) => {
        if (isLeft || next === null) return
        ahead.current = next
        return prefetch(next)
      })
    }
    return () => {
      isLeft = true
    }
  }, [source, externalId, item?.nextExternalId, toFilterSuffix(filter)])

  return {
    live,
    item,
    decidedMeanwhile: isRead ? state.decidedMeanwhile : null,
    error: state.error,
    async findNext() {
      if (ahead.current !== null && !isDecidedHere(ahead.current)) return ahead.current
      return item ? await findNext(item, filter) : null
    },
  }
}

/** A conflict and the page of the filtered list that has it. */
type NextConflict = ConflictId & Pick<ConflictFilter, 'page'>

/** Reads a page of waiting conflicts. A decision in the outbox is not sent yet, so its conflict is among them. */
async function readRows({ page = 1, ...filter }: ConflictFilter): Promise<NextConflict[]> {
  const query = { state: 'waiting', ...filter, page, take: LIST_TAKE } as const
  const answer = await settle(hall.call('GET /conflicts/list', { query }))
  const rows = answer.ok ? answer.value.results : []
  return rows.map(({ source, externalId }) => ({ source, externalId, ...(page > 1 && { page }) }))
}

/** Finds the next conflict of the filter that was not decided in this tab. */
async function findNext(item: ConflictItem, filter: ConflictFilter): Promise<NextConflict | null> {
  const { source, nextExternalId } = item
  const isFree = (other: ConflictId) => !isSameConflict(other, item) && !isDecidedHere(other)
  const isUnfiltered = filter.state === undefined && filter.search === undefined && filter.page === undefined
  const following = isUnfiltered && nextExternalId !== null && { source, externalId: nextExternalId }
  if (following && isFree(following)) return following
  // Decided conflicts have left the list, so the others may have moved a page ahead.
  const { page = 1 } = filter
  const pages = [...new Set([1, page - 1, page, page + 1])].filter((near) => near > 0)
  const rows = (await Promise.all(pages.map((near) => readRows({ ...filter, page: near })))).flat()
  return rows.slice(rows.findIndex((row) => isSameConflict(row, item)) + 1).find(isFree) ?? rows.find(isFree) ?? null
}
