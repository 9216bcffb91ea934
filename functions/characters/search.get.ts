import { searchCharacters } from '../../lib/characters/search-characters.ts'
import { CatalogueSearchQuery, CharacterList } from '../../lib/contract/catalogue.ts'
import { defineFunction } from '../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Search characters by the beginning or the words of their names, best first',
  auth: 'public',
  query: CatalogueSearchQuery,
  response: CharacterList,
  errors: [],

  handle: ({ query, deps }) => searchCharacters(deps, query),
})
