import { Comment, IdParams, SetCommentStatusBody } from '#lib/contract/index'
import { setStatus } from '#lib/domain/comments/change-status'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Hide a comment, or show it again; either decides about its open reports',
  auth: 'admin',
  limit: 'commentChanges',
  excludesSender: true,
  params: IdParams,
  body: SetCommentStatusBody,
  response: Comment,
  errors: ['NOT_FOUND', 'CONFLICT'],

  handle: ({ params, body, actor, deps }) => setStatus(deps, actor, { commentId: params.id, ...body }),
})
