import type { CharacterList } from '#lib/contract/catalogue'
import { findByIds } from '#lib/infrastructure/db/find-by-ids'
import { searchNames } from '../../names/search-names.ts'
import type { CatalogueDeps } from '../deps.ts'
import { CHARACTER_ROW_FIELDS, type StoredCharacterRow, toCharacterRow } from './to-wire.ts'

/** Finds characters by the beginning or the words of their names, best first. `total` counts all matches. */
export async function searchCharacters(
  deps: Pick<CatalogueDeps, 'db' | 'storage'>,
  input: { searchString: string; take: number },
): Promise<CharacterList> {
  const { ids, total } = await searchNames(deps.db.characters, input)
  const rows = await findByIds<StoredCharacterRow>(deps.db.characters, ids, CHARACTER_ROW_FIELDS)
  return { results: rows.map((row) => toCharacterRow(deps, row)), total }
}
