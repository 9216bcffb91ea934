import type { ConflictsFilter } from '../../client/index.ts'
import { CONFLICT_DAYS_MAX } from '../../contract/limits.ts'
import type { Source } from '../../contract/sources.ts'
import { readChoice, readPage, route } from '../route.ts'
import { DECIDERS, SOURCE_NAMES, STATES } from './conflict-words.ts'

/** The filter and the page of the list; the first page is left out. A review that begins in a filter stays in it. */
export interface ConflictFilter extends ConflictsFilter {
  source?: Source
}

export const LIST_TAKE = 30

export function readConflictFilter(): ConflictFilter {
  const { query } = route.value
  const source = readChoice('source', SOURCE_NAMES)
  const state = readChoice('state', STATES)
  const automatic = readChoice('automatic', DECIDERS)
  const days = Number(query.get('days'))
  const search = query.get('search')
  const page = readPage()
  return {
    ...(source && { source }),
    ...(state && { state }),
    ...(automatic && { automatic }),
    ...(days >= 1 && days <= CONFLICT_DAYS_MAX && Number.isInteger(days) && { days }),
    ...(search && { search }),
    ...(page > 1 && { page }),
  }
}

export function toFilterSuffix(filter: ConflictFilter): string {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)])).toString()
  return query && `?${query}`
}
