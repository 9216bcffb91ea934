import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../client/index.ts'
import { describeError } from './describe-error.ts'
import { hall, settle } from './hall.ts'

type FoundGames = Answer<'GET /games/search'>

/** Games found for a text, or the failure; both undefined while it is awaited. */
export interface GameSearchState {
  found?: FoundGames
  failure?: string
}

const MIN_LENGTH = 2
const TYPING_PAUSE_MS = 150

/** Finds games by what was typed, once the typing has paused. */
export function useGameSearch(text: string, take: number): GameSearchState {
  const [state, setState] = useState<GameSearchState>({})

  useEffect(() => {
    if (text.length < MIN_LENGTH) {
      setState({})
      return
    }
    // Games found for the text before stay until the answer; an empty result belongs to its own text alone.
    setState((last) => (last.found?.total ? last : {}))
    const aborter = new AbortController()
    const timer = setTimeout(async () => {
      const query = { searchString: text, take }
      const answer = await settle(hall.call('GET /games/search', { query, signal: aborter.signal })).catch(
        () => undefined,
      )
      if (answer === undefined || aborter.signal.aborted) return
      setState(answer.ok ? { found: answer.value } : { failure: describeError(answer.error) })
    }, TYPING_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [text, take])

  return state
}
