import { ObjectId } from 'mongodb'
import { createComment } from '../../../lib/comments/create-comment.ts'
import { deleteComment } from '../../../lib/comments/delete-comment.ts'
import { editComment } from '../../../lib/comments/edit-comment.ts'
import { setCommentStatus } from '../../../lib/comments/set-comment-status.ts'
import { setLike } from '../../../lib/comments/set-like.ts'
import { depsUntilStep } from './deps-until-step.ts'

/**
 * A process that changes a comment and is killed at a step: `<verb> <comment id> <game id> <user id> <step>`. The verb is
 * like, edit, hide, show, delete or reply.
 */
const [verb, commentId = '', gameId = '', userId = '', fatalStep] = process.argv.slice(2)
const deps = depsUntilStep(fatalStep)
const user = {
  _id: new ObjectId(userId),
  userName: 'somebody',
  isAdmin: ['hide', 'show', 'delete'].includes(verb ?? ''),
}

const changes: Record<string, () => Promise<unknown>> = {
  like: () => setLike(deps, { commentId, voter: user, isActive: true }),
  edit: () => editComment(deps, { commentId, body: 'edited', editor: user }),
  hide: () => setCommentStatus(deps, { commentId, status: 'hidden', admin: user }),
  show: () => setCommentStatus(deps, { commentId, status: 'visible', admin: user }),
  delete: () => deleteComment(deps, { commentId, user }),
  reply: () =>
    createComment(deps, {
      gameId,
      parentId: commentId,
      body: 'a reply',
      isSpoiler: false,
      author: user,
    }),
}
await changes[verb ?? '']?.()
