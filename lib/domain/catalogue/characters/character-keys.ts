import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import { buildNameKeys, ignoreCase, stringsIn } from '../../names/normalise-name.ts'

/** Derives the keys of a character, which every write of a name stores. */
export function buildCharacterKeys({ name, akas }: Pick<CharacterDocument, 'name' | 'akas'>) {
  return {
    ...buildNameKeys({ name, alternatives: akas }),
    lowerCaseNames: [...new Set(stringsIn([name, ...stringsIn(akas)]).map(ignoreCase))],
  }
}
