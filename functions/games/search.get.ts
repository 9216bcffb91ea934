import { CatalogueSearchQuery, GameList } from '../../lib/contract/catalogue.ts'
import { searchGames } from '../../lib/domain/catalogue/games/search-games.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Search games by the beginning or the words of their names, best first',
  auth: 'public',
  query: CatalogueSearchQuery,
  response: GameList,

  handle: ({ query, deps }) => searchGames(deps, query),
})
