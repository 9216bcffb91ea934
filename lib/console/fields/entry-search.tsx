import type { Answer } from '../../client/index.ts'
import { hall } from '../hall.ts'
import { Cover } from '../parts/cover.tsx'
import { GameRow } from '../parts/game-row.tsx'
import { Combobox } from './combobox.tsx'

type FoundGame = Answer<'GET /games/search'>['results'][number]
type FoundCharacter = Answer<'GET /characters/search'>['results'][number]

interface SearchProps<E> {
  label: string
  hint?: string | undefined
  refusal?: string | undefined
  disabled?: boolean
  onChoose(entry: E): void
}

const TAKE = 8

/** A combobox over the games of the catalogue. */
export const GameSearch = (props: SearchProps<FoundGame>) => (
  <Combobox
    {...props}
    search={async (searchString, signal) =>
      (await hall.call('GET /games/search', { query: { searchString, take: TAKE }, signal })).results
    }
    drawOption={(game) => <GameRow game={game} />}
  />
)

/** A combobox over the characters of the catalogue. */
export const CharacterSearch = (props: SearchProps<FoundCharacter>) => (
  <Combobox
    {...props}
    search={async (searchString, signal) =>
      (await hall.call('GET /characters/search', { query: { searchString, take: TAKE }, signal })).results
    }
    drawOption={({ name, mugShot }) => (
      <span class="row game-row">
        <Cover src={mugShot} name={name} />
        <span class="game-name">{name}</span>
      </span>
    )}
  />
)
