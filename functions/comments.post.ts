import { ObjectId } from 'mongodb'
import { createComment } from '../lib/comments/create-comment.ts'
import { threadQueueKey, toThreadQueueKey } from '../lib/comments/thread-queue-key.ts'
import { commentToWire } from '../lib/comments/to-wire.ts'
import { Comment, CreateCommentBody } from '../lib/contract/comments.ts'
import { defineFunction } from '../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Post a comment on a game, or a reply to a visible comment of it',
  auth: 'user',
  limit: 'commentAttempts',
  inject: ['socketId'],
  status: 201,
  body: CreateCommentBody,
  response: Comment,
  errors: ['INVALID', 'NOT_FOUND'],

  async handle({ body, user, socketId, deps }) {
    const _id = new ObjectId()
    const key = body.parentId ? await threadQueueKey(deps, body.parentId) : toThreadQueueKey(_id)

    const { created, answered } = await deps.queue.run(key, async () => {
      const posted = await createComment(deps, {
        _id,
        ...body,
        parentId: body.parentId,
        author: user,
        sender: socketId,
      })

      deps.emit.comments.created(posted.event.payload, { ...posted.event.version, except: socketId })
      return posted
    })
    return commentToWire(deps, created, user, { known: answered ? [answered] : [] })
  },
})
