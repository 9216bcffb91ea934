import { editComment } from '../../lib/comments/edit-comment.ts'
import { threadQueueKey } from '../../lib/comments/thread-queue-key.ts'
import { commentToWire } from '../../lib/comments/to-wire.ts'
import { Comment, EditCommentBody } from '../../lib/contract/comments.ts'
import { IdParams } from '../../lib/contract/ids.ts'
import { defineFunction } from '../../lib/http/define-function.ts'

/** Change the text or the spoiler flag of one's own visible comment. */
export default defineFunction({
  auth: 'user',
  params: IdParams,
  body: EditCommentBody,
  response: Comment,
  errors: ['INVALID', 'NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED'],

  async handle({ params, body, user, socketId, deps }) {
    await deps.limits.commentChanges.consume(user._id.toHexString())

    const row = await deps.queue.run(await threadQueueKey(deps, params.id), async () => {
      const { edited, event } = await editComment(deps, { commentId: params.id, ...body, editor: user })

      deps.emit.comments.updated(event, { except: socketId })
      return edited
    })
    return commentToWire(deps, row, user)
  },
})
