import type { ConflictState } from '../../contract/conflicts.ts'
import type { Source } from '../../contract/sources.ts'
import { STATES } from './conflict-words.ts'
import { isSource } from './source-names.ts'

/** Which conflicts the list shows; a review that begins there stays in it. */
export interface ConflictFilter {
  source?: Source
  state?: ConflictState
  search?: string
}

const isState = (text: string | null): text is ConflictState => text !== null && Object.hasOwn(STATES, text)

export function readConflictFilter(query: URLSearchParams): ConflictFilter {
  const source = query.get('source')
  const state = query.get('state')
  const search = query.get('search')
  return { ...(isSource(source) && { source }), ...(isState(state) && { state }), ...(search && { search }) }
}

/** The filter behind the address of a list or of a conflict. */
export function toFilterSuffix(filter: ConflictFilter): string {
  const query = new URLSearchParams({ ...filter }).toString()
  return query && `?${query}`
}
