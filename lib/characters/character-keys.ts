import type { CharacterDocument } from '../db/collections/characters.ts'
import { nameKeysOf, textsOf } from '../names/normalise-name.ts'

/** The derived keys of a character, to be stored with every write of a name. */
export function characterKeysOf({ name, akas }: Pick<CharacterDocument, 'name' | 'akas'>) {
  return {
    ...nameKeysOf({ name, alternatives: akas }),
    lowerCaseNames: [...new Set(textsOf([name, ...textsOf(akas)]).map((each) => each.toLowerCase()))],
  }
}
