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
  excludesSender: true,
  params: IdParams,
  body: SetCommentStatusBody,
  response: Comment,
  errors: ['NOT_FOUND'],

  async handle({ params, body, actor, deps }) {
    const row = await inThread(deps, { commentId: params.id, actor }, async () => {
      const { changed, event } = await changeStatus(deps, {
        commentId: params.id,
        ...body,
        user: actor.user,
        excludeSocketId: actor.socketId,
      })

      if (event) deps.emit.comments.status(event.payload, { ...event.version, except: actor.socketId })
      return changed
    })
    return commentToWire(deps, row, actor.user)
  },
})
