import type { CharacterList } from '#lib/contract/catalogue'
import { searchNames } from '../../names/search-names.ts'
import type { CatalogueDeps } from '../deps.ts'
import { CHARACTER_ROW_FIELDS, type StoredCharacterRow, toCharacterRow } from './to-wire.ts'

/** Finds characters by the beginning or the words of their names, best first. `total` counts all matches. */
export async function searchCharacters(
  deps: Pick<CatalogueDeps, 'db' | 'storage'>,
  input: { searchString: string; take: number },
): Promise<CharacterList> {
  const { rows, total } = await searchNames<StoredCharacterRow>(deps.db.characters, input, CHARACTER_ROW_FIELDS)
  return { results: rows.map((row) => toCharacterRow(deps, row)), total }
}
