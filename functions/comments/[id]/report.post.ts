import { ReportState } from '#lib/contract/comments'
import { IdParams } from '#lib/contract/ids'
import { reportComment } from '#lib/domain/comments/report-comment'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Report a visible comment of somebody else to the admins; a repeat changes nothing, and nobody is told',
  auth: 'user',
  limit: 'commentChanges',
  params: IdParams,
  response: ReportState,
  errors: ['NOT_FOUND', 'INVALID'],

  handle: ({ params, actor, deps }) => reportComment(deps, actor, { commentId: params.id }),
})
