import { ConflictsByGame, ConflictsByGameParams } from '#lib/contract/conflicts'
import { listConflictsOfGame } from '#lib/domain/conflicts/list-conflicts-of-game'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'List the waiting conflicts that involve a game',
  auth: 'admin',
  params: ConflictsByGameParams,
  response: ConflictsByGame,
  errors: [],

  handle: ({ params, deps }) => listConflictsOfGame(deps, params),
})
