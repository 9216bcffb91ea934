import type { ConflictsFilter } from '../../client/index.ts'
import type { ConflictState } from '../../contract/conflicts.ts'
import { CONFLICT_DAYS_MAX } from '../../contract/limits.ts'
import type { Source } from '../../contract/sources.ts'
import { readPage, route } from '../route.ts'
import { isSource, STATES } from './conflict-words.ts'

/** The filter and the page of the list; the first page is left out. A review that begins in a filter stays in it. */
export interface ConflictFilter extends ConflictsFilter {
  source?: Source
}

export const LIST_TAKE = 30

const isYesOrNo = (text: string | null): text is 'true' | 'false' => text === 'true' || text === 'false'
const isState = (text: string | null): text is ConflictState => text !== null && Object.hasOwn(STATES, text)

export function readConflictFilter(): ConflictFilter {
  const { query } = route.value
  const source = query.get('source')
  const state = query.get('state')
  const automatic = query.get('automatic')
  const days = Number(query.get('days'))
  const search = query.get('search')
  const page = readPage()
  return {
    ...(isSource(source) && { source }),
    ...(isState(state) && { state }),
    ...(isYesOrNo(automatic) && { automatic }),
    ...(days >= 1 && days <= CONFLICT_DAYS_MAX && Number.isInteger(days) && { days }),
    ...(search && { search }),
    ...(page > 1 && { page }),
  }
}

export function toFilterSuffix(filter: ConflictFilter): string {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)])).toString()
  return query && `?${query}`
}
