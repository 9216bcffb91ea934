import { Comment, CreateCommentBody } from '../lib/contract/comments.ts'
import { BODY_MAX_BYTES } from '../lib/contract/limits.ts'
import { createComment } from '../lib/domain/comments/create-comment.ts'
import { inThread } from '../lib/domain/comments/in-thread.ts'
import { commentToWire } from '../lib/domain/comments/to-wire.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Post a comment on a game, or a reply to a visible comment of it',
  auth: 'user',
  limit: 'commentAttempts',
  excludesSender: true,
  status: 201,
  body: CreateCommentBody,
  maxBodyBytes: BODY_MAX_BYTES.comment,
  response: Comment,
  errors: ['INVALID', 'NOT_FOUND'],

  async handle({ body, actor, deps }) {
    const { created, answered } = await inThread(deps, { commentId: body.parentId, actor }, async () => {
      const posted = await createComment(deps, { ...body, author: actor.user, excludeSocketId: actor.socketId })

      deps.emit.comments.created(posted.event.payload, { ...posted.event.version, except: actor.socketId })
      return posted
    })
    return commentToWire(deps, created, actor.user, { known: answered ? [answered] : [] })
  },
})
