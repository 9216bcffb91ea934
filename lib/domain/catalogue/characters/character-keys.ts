import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import { buildNameKeys, ignoreCase, stringsIn } from '../../names/normalise-name.ts'

/** The derived keys of a character, to be stored with every write of a name. */
export function buildCharacterKeys({ name, akas }: Pick<CharacterDocument, 'name' | 'akas'>) {
  return {
    ...buildNameKeys({ name, alternatives: akas }),
    lowerCaseNames: [...new Set(stringsIn([name, ...stringsIn(akas)]).map(ignoreCase))],
  }
}
