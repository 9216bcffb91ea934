import { Character, type CharacterRow } from '../contract/catalogue.ts'
import type { CharacterDocument } from '../db/collections/characters.ts'
import { toContract, withTimes } from '../db/to-contract.ts'
import { mapImages } from '../storage/image-fields.ts'
import type { CharactersDeps } from './deps.ts'

type WireDeps = Pick<CharactersDeps, 'storage'>

export const toCharacter = ({ storage }: WireDeps, character: CharacterDocument): Character =>
  mapImages({ ...toContract(Character, withTimes(character)), mugShot: character.mugShot ?? null }, storage.addressOf)

export const CHARACTER_ROW_FIELDS = { name: 1, slug: 1, mugShot: 1 } as const

export type StoredCharacterRow = Pick<CharacterDocument, '_id' | keyof typeof CHARACTER_ROW_FIELDS>

export const toCharacterRow = ({ storage }: WireDeps, { _id, name, slug, mugShot }: StoredCharacterRow): CharacterRow =>
  mapImages({ _id: _id.toHexString(), name, slug, mugShot: mugShot ?? null }, storage.addressOf)
