import { setLike } from '../../../lib/comments/set-like.ts'
import { threadQueueKey } from '../../../lib/comments/thread-queue-key.ts'
import { LikeState } from '../../../lib/contract/comments.ts'
import { IdParams } from '../../../lib/contract/ids.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

/** Take back one's like of a comment; without one nothing changes. */
export default defineFunction({
  auth: 'user',
  params: IdParams,
  response: LikeState,
  errors: ['NOT_FOUND', 'INVALID', 'RATE_LIMITED'],

  async handle({ params, user, socketId, deps }) {
    await deps.limits.commentChanges.consume(user._id.toHexString())

    return deps.queue.run(await threadQueueKey(deps, params.id), async () => {
      const { like, event } = await setLike(deps, { commentId: params.id, voter: user, isActive: false })

      if (event) deps.emit.comments.likes(event, { except: socketId })
      return like
    })
  },
})
