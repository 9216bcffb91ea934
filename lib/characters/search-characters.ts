import type { CharacterList } from '../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import { readInOrder } from '../db/find-by-ids.ts'
import { searchNames } from '../names/search-names.ts'
import { CHARACTER_ROW_FIELDS, type StoredCharacterRow, toCharacterRow } from './to-wire.ts'

/** Finds characters by the beginning or the words of their names, best first. `total` counts all matches. */
export async function searchCharacters(
  { db }: Pick<Deps, 'db'>,
  input: { searchString: string; take: number },
): Promise<CharacterList> {
  const { ids, total } = await searchNames(db.characters, input)
  const rows = await readInOrder<StoredCharacterRow>(db.characters, ids, CHARACTER_ROW_FIELDS)
  return { results: rows.map(toCharacterRow), total }
}
