import { IdParams, LikeState } from '#lib/contract/index'
import { setLike } from '#lib/domain/comments/set-like'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: "Like another user's visible comment; a repeat changes nothing",
  auth: 'user',
  limit: 'commentChanges',
  excludesSender: true,
  params: IdParams,
  response: LikeState,
  errors: ['NOT_FOUND', 'INVALID'],

  handle: ({ params, actor, deps }) => setLike(deps, actor, { commentId: params.id, isActive: true }),
})
