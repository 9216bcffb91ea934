import type { Answer } from '../../client/index.ts'
import { hall } from '../hall.ts'
import { GameRow } from '../parts/game-row.tsx'
import { Combobox } from './combobox.tsx'

type FoundGame = Answer<'GET /games/search'>['results'][number]

interface GameSearchProps {
  label: string
  hint?: string | undefined
  refusal?: string | undefined
  disabled?: boolean
  onChoose(game: FoundGame): void
}

/** A combobox over the games of the catalogue. */
export const GameSearch = (props: GameSearchProps) => (
  <Combobox<FoundGame>
    {...props}
    placeholder="Type a name"
    search={async (searchString, signal) => {
      const { results } = await hall.call('GET /games/search', { query: { searchString, take: 8 }, signal })
      return results
    }}
    optionKey={({ _id }) => _id}
    drawOption={(game) => <GameRow game={game} />}
  />
)
