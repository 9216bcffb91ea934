import { IdParams, ReportCommentBody, ReportState } from '#lib/contract/index'
import { reportComment } from '#lib/domain/comments/report-comment'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary:
    "Report another user's visible comment to the admins; a repeat changes nothing, and its author is not notified",
  description: 'A repeat counts again only where the comment was edited after a decision about the earlier report.',
  auth: 'user',
  limit: 'commentChanges',
  params: IdParams,
  body: ReportCommentBody,
  response: ReportState,
  errors: ['NOT_FOUND', 'INVALID'],

  handle: ({ params, body, actor, deps }) => reportComment(deps, actor, { commentId: params.id, ...body }),
})
