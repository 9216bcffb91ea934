import { useRef } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { describeError } from '../describe-error.ts'
import { SEARCH_MIN_LENGTH } from './use-debounced.ts'
import { useQuery } from './use-query.ts'

/** Games found for a text, or the failure; both undefined while it is awaited. */
export interface GameSearchState {
  found?: Answer<'GET /games/search'>
  failure?: string
}

/** Finds games by a text. Those found for the text before stay until the answer, unless there were none. */
export function useGameSearch(text: string, take: number): GameSearchState {
  const isAsked = text.length >= SEARCH_MIN_LENGTH
  const { answer, error } = useQuery('GET /games/search', isAsked ? { query: { searchString: text, take } } : null)
  const last = useRef(answer)
  last.current = isAsked ? (answer ?? last.current) : undefined

  if (error !== undefined) return { failure: describeError(error) }
  if (answer !== undefined) return { found: answer }
  return last.current?.total ? { found: last.current } : {}
}
