import { ConflictParams, ConflictSummary, DecisionBody } from '#lib/contract/conflicts'
import { decideConflict } from '#lib/domain/conflicts/decide-conflict'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Match a waiting conflict with one of its candidates or entries, or skip it',
  description: 'The background writer carries it out.',
  auth: 'admin',
  params: ConflictParams,
  body: DecisionBody,
  response: ConflictSummary,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  handle: ({ params, body, actor, deps }) => decideConflict(deps, actor, { ...params, choice: body }),
})
