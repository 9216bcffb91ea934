import { ObjectId } from 'mongodb'
import { createComment } from '../../../lib/comments/create-comment.ts'
import { deleteComment } from '../../../lib/comments/delete-comment.ts'
import { editComment } from '../../../lib/comments/edit-comment.ts'
import { setCommentStatus } from '../../../lib/comments/set-comment-status.ts'
import { setLike } from '../../../lib/comments/set-like.ts'
import { addCandidate } from '../../../lib/conflicts/add-candidate.ts'
import { decideConflict } from '../../../lib/conflicts/decide-conflict.ts'
import { reopenConflict } from '../../../lib/conflicts/reopen-conflict.ts'
import { depsUntilStep } from './deps-until-step.ts'

/**
 * A process that changes a comment or a conflict of VNDB and is killed at a step: `<verb> <comment id or external id>
 * <game id> <user id> <step>`. The verb is like, edit, hide, show, delete or reply; decide, reopen or add.
 */
const [verb, id = '', gameId = '', userId = '', fatalStep] = process.argv.slice(2)
const deps = depsUntilStep(fatalStep)
const user = {
  _id: new ObjectId(userId),
  userName: 'somebody',
  isAdmin: !['like', 'edit', 'reply'].includes(verb ?? ''),
}

const conflict = { source: 'vndb', externalId: id } as const

const changes: Record<string, () => Promise<unknown>> = {
  like: () => setLike(deps, { commentId: id, voter: user, isActive: true }),
  edit: () => editComment(deps, { commentId: id, body: 'edited', editor: user }),
  hide: () => setCommentStatus(deps, { commentId: id, status: 'hidden', admin: user }),
  show: () => setCommentStatus(deps, { commentId: id, status: 'visible', admin: user }),
  delete: () => deleteComment(deps, { commentId: id, user }),
  reply: () =>
    createComment(deps, {
      gameId,
      parentId: id,
      body: 'a reply',
      isSpoiler: false,
      author: user,
    }),
  decide: () => decideConflict(deps, { ...conflict, admin: user, choice: { gameId } }),
  reopen: () => reopenConflict(deps, { ...conflict, admin: user }),
  add: () => addCandidate(deps, { ...conflict, admin: user, gameId }),
}
await changes[verb ?? '']?.()
