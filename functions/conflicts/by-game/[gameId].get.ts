import { listConflictsOfGame } from '../../../lib/conflicts/list-conflicts-of-game.ts'
import { ConflictsByGame, ConflictsByGameParams } from '../../../lib/contract/conflicts.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'List the waiting conflicts that involve a game',
  auth: 'admin',
  params: ConflictsByGameParams,
  response: ConflictsByGame,
  errors: [],

  handle: ({ params, deps }) => listConflictsOfGame(deps, params),
})
