import { Comment, SetCommentStatusBody } from '#lib/contract/comments'
import { IdParams } from '#lib/contract/ids'
import { changeStatus } from '#lib/domain/comments/change-status'
import { inThread } from '#lib/domain/comments/in-thread'
import { commentToWire } from '#lib/domain/comments/to-wire'
import { defineFunction } from '#lib/web/http/define-function'

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
