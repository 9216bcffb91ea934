import type { GameList } from '../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import { readInOrder } from '../db/find-by-ids.ts'
import { searchNames } from '../names/search-names.ts'
import { GAME_ROW_FIELDS, type StoredGameRow, toGameRow } from './to-wire.ts'

/** Finds games by the beginning or the words of their names, best first. `total` counts all matches. */
export async function searchGames(
  { db }: Pick<Deps, 'db'>,
  input: { searchString: string; take: number },
): Promise<GameList> {
  const { ids, total } = await searchNames(db.games, input)
  const rows = await readInOrder<StoredGameRow>(db.games, ids, GAME_ROW_FIELDS)
  return { results: rows.map(toGameRow), total }
}
