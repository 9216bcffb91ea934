import { Game, IdOrSlugParams } from '../../lib/contract/catalogue.ts'
import { findGame } from '../../lib/domain/catalogue/games/find-game.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Read a whole game by its id or its slug',
  auth: 'public',
  params: IdOrSlugParams,
  response: Game,
  errors: ['NOT_FOUND'],

  handle: ({ params, deps }) => findGame(deps, params),
})
