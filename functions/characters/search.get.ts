import { CatalogueSearchQuery, CharacterList } from '../../lib/contract/catalogue.ts'
import { searchCharacters } from '../../lib/domain/catalogue/characters/search-characters.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Search characters by the beginning or the words of their names, best first',
  auth: 'public',
  query: CatalogueSearchQuery,
  response: CharacterList,

  handle: ({ query, deps }) => searchCharacters(deps, query),
})
