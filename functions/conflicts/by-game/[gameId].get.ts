import { ConflictsByGame, GameIdParams } from '#lib/contract/index'
import { listConflictsOfGame } from '#lib/domain/conflicts/list-conflicts-of-game'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'List the waiting conflicts that involve a game',
  auth: 'admin',
  params: GameIdParams,
  response: ConflictsByGame,

  handle: ({ params, deps }) => listConflictsOfGame(deps, params),
})
