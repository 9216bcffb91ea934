import type { Answer } from '../../client/index.ts'
import { useCharacterSearch, useGameSearch } from '../hooks/use-search.ts'
import { Cover } from '../parts/cover.tsx'
import { GameRow } from '../parts/game-row.tsx'
import { Combobox } from './combobox.tsx'
import type { LabelProps } from './field.tsx'

interface SearchProps<E> extends LabelProps {
  disabled?: boolean
  onChoose(entry: E): void
}

const TAKE = 8

/** A combobox over the games of the catalogue. */
export const GameSearch = (props: SearchProps<Answer<'GET /games/search'>['results'][number]>) => (
  <Combobox {...props} useSearch={(text) => useGameSearch(text, TAKE)} drawOption={(game) => <GameRow game={game} />} />
)

/** A combobox over the characters of the catalogue. */
export const CharacterSearch = (props: SearchProps<Answer<'GET /characters/search'>['results'][number]>) => (
  <Combobox
    {...props}
    useSearch={(text) => useCharacterSearch(text, TAKE)}
    drawOption={({ name, mugShot }) => (
      <span class="row nowrap game-row">
        <Cover src={mugShot} name={name} />
        <span class="game-name">{name}</span>
      </span>
    )}
  />
)
