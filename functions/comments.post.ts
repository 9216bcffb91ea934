import { ObjectId } from 'mongodb'
import { createComment } from '../lib/comments/create-comment.ts'
import { threadKey, threadOf } from '../lib/comments/thread-of.ts'
import { Comment, CreateCommentBody } from '../lib/contract/comments.ts'
import { defineFunction } from '../lib/http/define-function.ts'

/** Post a comment on a game, or a reply to a visible comment of it. */
export default defineFunction({
  auth: 'user',
  status: 201,
  body: CreateCommentBody,
  response: Comment,
  errors: ['INVALID', 'NOT_FOUND', 'RATE_LIMITED'],

  async handle({ body, user, socketId, deps }) {
    const _id = new ObjectId()
    const key = body.parentId ? await threadOf(deps, body.parentId) : threadKey(_id)

    return deps.inOrder(key, async () => {
      const { comment, event } = await createComment(deps, { _id, ...body, parentId: body.parentId, author: user })

      deps.emit.comments.created(event, { except: socketId })
      return comment
    })
  },
})
