import { Comment } from '../../lib/contract/comments.ts'
import { IdParams } from '../../lib/contract/ids.ts'
import { changeStatus } from '../../lib/domain/comments/change-status.ts'
import { inThread } from '../../lib/domain/comments/in-thread.ts'
import { commentToWire } from '../../lib/domain/comments/to-wire.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: "Delete one's own comment, or any as an admin; its place stays while it has replies",
  auth: 'user',
  limit: 'commentChanges',
  excludesSender: true,
  params: IdParams,
  response: Comment,
  errors: ['NOT_FOUND', 'FORBIDDEN'],

  async handle({ params, actor, deps }) {
    const row = await inThread(deps, { commentId: params.id, actor }, async () => {
      const { changed, event } = await changeStatus(deps, {
        commentId: params.id,
        status: 'deleted',
        user: actor.user,
        excludeSocketId: actor.socketId,
      })

      if (event) deps.emit.comments.status(event.payload, { ...event.version, except: actor.socketId })
      return changed
    })
    return commentToWire(deps, row, actor.user)
  },
})
