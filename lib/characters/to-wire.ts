import { Character, type CharacterRow } from '../contract/catalogue.ts'
import type { CharacterDocument } from '../db/collections/characters.ts'
import { toContract } from '../db/to-contract.ts'

export const toCharacter = (character: CharacterDocument): Character => ({
  ...toContract(Character, character),
  mugShot: character.mugShot ?? null,
})

export const CHARACTER_ROW_FIELDS = { name: 1, slug: 1, mugShot: 1 } as const

export type StoredCharacterRow = Pick<CharacterDocument, '_id' | keyof typeof CHARACTER_ROW_FIELDS>

export const toCharacterRow = ({ _id, name, slug, mugShot }: StoredCharacterRow): CharacterRow => ({
  _id: _id.toHexString(),
  name,
  slug,
  mugShot: mugShot ?? null,
})
