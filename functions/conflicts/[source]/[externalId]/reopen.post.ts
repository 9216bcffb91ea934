import { ConflictParams, ConflictSummary } from '#lib/contract/conflicts'
import { reopenConflict } from '#lib/domain/conflicts/reopen-conflict'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Return a skipped conflict or an automatic match to review, with newly matched candidates',
  description: 'An automatic match is unlinked from its game, which keeps the fields that it got.',
  auth: 'admin',
  params: ConflictParams,
  response: ConflictSummary,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  handle: ({ params, actor, deps }) => reopenConflict(deps, actor, params),
})
