import { ConflictsByGame } from '#lib/contract/conflicts'
import { GameIdParams } from '#lib/contract/ids'
import { listConflictsOfGame } from '#lib/domain/conflicts/list-conflicts-of-game'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'List the waiting conflicts that involve a game',
  auth: 'admin',
  params: GameIdParams,
  response: ConflictsByGame,
  errors: [],

  handle: ({ params, deps }) => listConflictsOfGame(deps, params),
})
