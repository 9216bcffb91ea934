import { setCommentStatus } from '../../../lib/comments/set-comment-status.ts'
import { threadQueueKey } from '../../../lib/comments/thread-queue-key.ts'
import { commentToWire } from '../../../lib/comments/to-wire.ts'
import { Comment, SetCommentStatusBody } from '../../../lib/contract/comments.ts'
import { IdParams } from '../../../lib/contract/ids.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

/** Hide a comment, or show it again, which also clears its reports. */
export default defineFunction({
  auth: 'admin',
  params: IdParams,
  body: SetCommentStatusBody,
  response: Comment,
  errors: ['NOT_FOUND', 'RATE_LIMITED'],

  async handle({ params, body, user, socketId, deps }) {
    await deps.limits.commentChanges.consume(user._id.toHexString())

    const row = await deps.queue.run(await threadQueueKey(deps, params.id), async () => {
      const { changed, event } = await setCommentStatus(deps, { commentId: params.id, ...body, admin: user })

      if (event) deps.emit.comments.status(event, { except: socketId })
      return changed
    })
    return commentToWire(deps, row, user)
  },
})
