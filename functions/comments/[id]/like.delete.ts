import { LikeState } from '#lib/contract/comments'
import { IdParams } from '#lib/contract/ids'
import { setLike } from '#lib/domain/comments/set-like'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: "Take back one's like of a comment; without one nothing changes",
  auth: 'user',
  limit: 'commentChanges',
  inject: ['socketId'],
  params: IdParams,
  response: LikeState,
  errors: ['NOT_FOUND', 'INVALID'],

  handle: ({ params, user, socketId, deps }) =>
    setLike(deps, { commentId: params.id, voter: user, isActive: false, excludeSocketId: socketId }),
})
