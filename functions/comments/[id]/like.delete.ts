import { setLike } from '../../../lib/comments/set-like.ts'
import { LikeState } from '../../../lib/contract/comments.ts'
import { IdParams } from '../../../lib/contract/ids.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

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
