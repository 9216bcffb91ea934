import { setLike } from '../../../lib/comments/set-like.ts'
import { LikeState } from '../../../lib/contract/comments.ts'
import { IdParams } from '../../../lib/contract/ids.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Like a visible comment of somebody else; a repeat changes nothing',
  auth: 'user',
  limit: 'commentChanges',
  inject: ['socketId'],
  params: IdParams,
  response: LikeState,
  errors: ['NOT_FOUND', 'INVALID'],

  handle: ({ params, user, socketId, deps }) =>
    setLike(deps, { commentId: params.id, voter: user, isActive: true, excludeSocketId: socketId }),
})
