import { deleteComment } from '../../lib/comments/delete-comment.ts'
import { threadQueueKey } from '../../lib/comments/thread-queue-key.ts'
import { commentToWire } from '../../lib/comments/to-wire.ts'
import { Comment } from '../../lib/contract/comments.ts'
import { IdParams } from '../../lib/contract/ids.ts'
import { defineFunction } from '../../lib/http/define-function.ts'

/** Delete one's own comment, or any as an admin; its place stays while it has replies. */
export default defineFunction({
  auth: 'user',
  params: IdParams,
  response: Comment,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED'],

  async handle({ params, user, socketId, deps }) {
    await deps.limits.commentChanges.consume(user._id.toHexString())

    const row = await deps.queue.run(await threadQueueKey(deps, params.id), async () => {
      const { changed, event } = await deleteComment(deps, { commentId: params.id, user })

      deps.emit.comments.status(event, { except: socketId })
      return changed
    })
    return commentToWire(deps, row, user)
  },
})
