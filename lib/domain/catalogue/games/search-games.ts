import type { GameList } from '#lib/contract/catalogue'
import { findByIds } from '#lib/infrastructure/db/find-by-ids'
import { searchNames } from '../../names/search-names.ts'
import type { CatalogueDeps } from '../deps.ts'
import { GAME_ROW_FIELDS, type StoredGameRow, toGameRow } from './to-wire.ts'

/** Finds games by the beginning or the words of their names, best first. `total` counts all matches. */
export async function searchGames(
  deps: Pick<CatalogueDeps, 'db' | 'storage'>,
  input: { searchString: string; take: number },
): Promise<GameList> {
  const { ids, total } = await searchNames(deps.db.games, input)
  const rows = await findByIds<StoredGameRow>(deps.db.games, ids, GAME_ROW_FIELDS)
  return { results: rows.map((row) => toGameRow(deps, row)), total }
}
