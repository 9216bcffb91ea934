import { changeStatus } from '../../../lib/comments/change-status.ts'
import { inThread } from '../../../lib/comments/in-thread.ts'
import { commentToWire } from '../../../lib/comments/to-wire.ts'
import { Comment, SetCommentStatusBody } from '../../../lib/contract/comments.ts'
import { IdParams } from '../../../lib/contract/ids.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Hide a comment, or show it again, which also clears its reports',
  auth: 'admin',
  limit: 'commentChanges',
  inject: ['socketId'],
  params: IdParams,
  body: SetCommentStatusBody,
  response: Comment,
  errors: ['NOT_FOUND'],

  async handle({ params, body, user, socketId, deps }) {
    const row = await inThread(deps, { commentId: params.id, user }, async () => {
      const { changed, event } = await changeStatus(deps, {
        commentId: params.id,
        ...body,
        user,
        excludeSocketId: socketId,
      })

      if (event) deps.emit.comments.status(event.payload, { ...event.version, except: socketId })
      return changed
    })
    return commentToWire(deps, row, user)
  },
})
