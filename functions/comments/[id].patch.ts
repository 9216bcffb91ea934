import { editComment } from '../../lib/comments/edit-comment.ts'
import { threadOf } from '../../lib/comments/thread-of.ts'
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

    return deps.inOrder(await threadOf(deps, params.id), async () => {
      const comment = await editComment(deps, { commentId: params.id, ...body, editor: user })
      const { _id, gameId, body: text, isSpoiler, updatedAt } = comment

      deps.emit.comments.updated({ gameId, commentId: _id, body: text, isSpoiler, updatedAt }, { except: socketId })
      return comment
    })
  },
})
