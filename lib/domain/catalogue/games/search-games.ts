import type { GameList } from '#lib/contract/catalogue'
import { searchNames } from '../../names/search-names.ts'
import type { CatalogueDeps } from '../deps.ts'
import { GAME_ROW_FIELDS, type StoredGameRow, toGameRow } from './to-wire.ts'

/** Finds games by the beginning or the words of their names, best first. `total` counts all matches. */
export async function searchGames(
  deps: Pick<CatalogueDeps, 'db' | 'storage'>,
  input: { searchString: string; take: number },
): Promise<GameList> {
  const { rows, total } = await searchNames<StoredGameRow>(deps.db.games, input, GAME_ROW_FIELDS)
  return { results: rows.map((row) => toGameRow(deps, row)), total }
}
