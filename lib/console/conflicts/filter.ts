import type { ConflictState } from '../../contract/conflicts.ts'
import type { Source } from '../../contract/sources.ts'
import { readPage, route } from '../route.ts'
import { isSource, STATES } from './conflict-words.ts'

/** The filter of the list and its page; a review that begins there stays in it. */
export interface ConflictFilter {
  source?: Source
  state?: ConflictState
  search?: string
  /** Left out for the first. */
  page?: number
}

export const LIST_TAKE = 30

const isState = (text: string | null): text is ConflictState => text !== null && Object.hasOwn(STATES, text)

export function readConflictFilter(): ConflictFilter {
  const { query } = route.value
  const source = query.get('source')
  const state = query.get('state')
  const search = query.get('search')
  const page = readPage()
  return {
    ...(isSource(source) && { source }),
    ...(isState(state) && { state }),
    ...(search && { search }),
    ...(page > 1 && { page }),
  }
}

export function toFilterSuffix({ page, ...filter }: ConflictFilter): string {
  const query = new URLSearchParams({ ...filter, ...(page && { page: String(page) }) }).toString()
  return query && `?${query}`
}
