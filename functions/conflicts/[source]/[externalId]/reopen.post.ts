import { ConflictParams, ConflictSummary } from '#lib/contract/conflicts'
import { reopenConflict } from '#lib/domain/conflicts/reopen-conflict'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Return a skipped conflict to review, with newly matched candidates',
  auth: 'admin',
  params: ConflictParams,
  response: ConflictSummary,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  handle: ({ params, actor, deps }) => reopenConflict(deps, actor, params),
})
