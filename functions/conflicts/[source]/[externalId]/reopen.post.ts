import { ConflictParams, ConflictSummary } from '#lib/contract/conflicts'
import { reopenConflict } from '#lib/domain/conflicts/reopen-conflict'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Put a skipped conflict back to review, with candidates matched afresh',
  auth: 'admin',
  params: ConflictParams,
  response: ConflictSummary,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  handle: ({ params, actor, deps }) => reopenConflict(deps, actor, params),
})
