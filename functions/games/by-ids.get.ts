import { GameRows, GamesByIdsQuery } from '../../lib/contract/catalogue.ts'
import { findGamesByIds } from '../../lib/domain/catalogue/games/find-games-by-ids.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Read the rows of up to 500 games',
  description: 'In the requested order; unknown ids are left out.',
  auth: 'public',
  query: GamesByIdsQuery,
  response: GameRows,

  handle: ({ query, deps }) => findGamesByIds(deps, { ids: query._ids }),
})
