import { useEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../describe-error.ts'
import { type Query, useQuery } from '../parts/query.tsx'

/** Shorter texts match too much. */
export const SEARCH_MIN_LENGTH = 2
const TYPING_PAUSE_MS = 150

export function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setSettled, TYPING_PAUSE_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** A search with its result or its failure. */
export interface Search<A> {
  /** The answer. While the search runs, the answer to the previous text, unless it had no results. */
  found?: A
  failure?: string
  /** True when `found` belongs to the text. */
  isCurrent: boolean
}

const isSearched = (text: string) => text.length >= SEARCH_MIN_LENGTH
const toInput = (text: string, take: number) => (isSearched(text) ? { query: { searchString: text, take } } : null)

function useFound<A extends { total: number }>(text: string, { answer, error }: Query<A>): Search<A> {
  const last = useRef(answer)
  last.current = isSearched(text) ? (answer ?? last.current) : undefined

  if (error !== undefined) return { failure: describeError(error), isCurrent: false }
  const found = answer ?? (last.current?.total ? last.current : undefined)
  return { ...(found && { found }), isCurrent: answer !== undefined }
}

export const useGameSearch = (text: string, take: number) =>
  useFound(text, useQuery('GET /games/search', toInput(text, take)))

export const useCharacterSearch = (text: string, take: number) =>
  useFound(text, useQuery('GET /characters/search', toInput(text, take)))
