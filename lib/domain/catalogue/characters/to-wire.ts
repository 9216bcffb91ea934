import { Character, CharacterRow } from '#lib/contract/catalogue'
import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import { toContract, withTimes } from '#lib/infrastructure/db/to-contract'
import { mapImages } from '#lib/infrastructure/storage/image-fields'
import type { CatalogueDeps } from '../deps.ts'

type WireDeps = Pick<CatalogueDeps, 'storage'>

export const toCharacter = ({ storage }: WireDeps, character: CharacterDocument): Character =>
  mapImages(toContract(Character, withTimes(character)), storage.addressOf)

export const CHARACTER_ROW_FIELDS = { name: 1, slug: 1, mugShot: 1 } as const

export type StoredCharacterRow = Pick<CharacterDocument, '_id' | keyof typeof CHARACTER_ROW_FIELDS>

export const toCharacterRow = ({ storage }: WireDeps, row: StoredCharacterRow): CharacterRow =>
  mapImages(toContract(CharacterRow, row), storage.addressOf)
