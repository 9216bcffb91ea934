import { CatalogueSearchQuery, GameList } from '../../lib/contract/catalogue.ts'
import { searchGames } from '../../lib/games/search-games.ts'
import { defineFunction } from '../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Search games by the beginning or the words of their names, best first',
  auth: 'public',
  query: CatalogueSearchQuery,
  response: GameList,
  errors: [],

  handle: ({ query, deps }) => searchGames(deps, query),
})
