import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../client/index.ts'
import { afterTyping, SEARCH_MIN_LENGTH } from './after-typing.ts'
import { describeError } from './describe-error.ts'
import { hall, settle } from './hall.ts'

type FoundGames = Answer<'GET /games/search'>

/** Games found for a text, or the failure; both undefined while it is awaited. */
export interface GameSearchState {
  found?: FoundGames
  failure?: string
}

/** Finds games by what was typed, once the typing has paused. */
export function useGameSearch(text: string, take: number): GameSearchState {
  const [state, setState] = useState<GameSearchState>({})

  useEffect(() => {
    if (text.length < SEARCH_MIN_LENGTH) {
      setState({})
      return
    }
    // Games found for the text before stay until the answer; an empty result belongs to its own text alone.
    setState((last) => (last.found?.total ? last : {}))
    return afterTyping(async (signal) => {
      const query = { searchString: text, take }
      const answer = await settle(hall.call('GET /games/search', { query, signal })).catch(() => undefined)
      if (answer === undefined || signal.aborted) return
      setState(answer.ok ? { found: answer.value } : { failure: describeError(answer.error) })
    })
  }, [text, take])

  return state
}
