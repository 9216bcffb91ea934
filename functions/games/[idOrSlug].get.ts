import { Game, IdOrSlugParams } from '../../lib/contract/catalogue.ts'
import { findGame } from '../../lib/domain/catalogue/games/find-game.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Read a game by its id or slug, with every field',
  auth: 'public',
  params: IdOrSlugParams,
  response: Game,
  errors: ['NOT_FOUND'],

  handle: ({ params, deps }) => findGame(deps, params),
})
