import type { Answer } from '../../client/index.ts'
import { hall } from '../hall.ts'
import { Cover } from '../parts/cover.tsx'
import { Combobox } from './combobox.tsx'

type FoundCharacter = Answer<'GET /characters/search'>['results'][number]

interface CharacterSearchProps {
  label: string
  refusal?: string | undefined
  onChoose(character: FoundCharacter): void
}

/** A combobox over the characters of the catalogue. */
export const CharacterSearch = (props: CharacterSearchProps) => (
  <Combobox<FoundCharacter>
    {...props}
    placeholder="Type a name"
    search={async (searchString, signal) =>
      (await hall.call('GET /characters/search', { query: { searchString, take: 8 }, signal })).results
    }
    optionKey={({ _id }) => _id}
    drawOption={({ name, mugShot }) => (
      <span class="row game-row">
        <Cover src={mugShot} name={name} />
        <span class="game-name">{name}</span>
      </span>
    )}
  />
)
