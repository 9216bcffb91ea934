import { IdParams, LikeState } from '#lib/contract/index'
import { setLike } from '#lib/domain/comments/set-like'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Remove the own like of a comment; without one nothing changes',
  auth: 'user',
  limit: 'commentChanges',
  excludesSender: true,
  params: IdParams,
  response: LikeState,
  errors: ['NOT_FOUND', 'INVALID'],

  handle: ({ params, actor, deps }) => setLike(deps, actor, { commentId: params.id, isActive: false }),
})
