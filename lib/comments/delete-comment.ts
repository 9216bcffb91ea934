import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentStatusChanged } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Announced } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { toSaid } from '../events/announcement.ts'
import { announceAgain } from './announce-again.ts'
import { dropDiscussion } from './caches.ts'
import { asRow, type CommentRow, rowProjection } from './comment-row.ts'
import { countStatusChange } from './count-status-change.ts'
import type { CommentsDeps } from './deps.ts'
import { findHome } from './find-home.ts'
import { readAuthorAndStatus } from './read-author-and-status.ts'
import type { CommentAction } from './record-comment-action.ts'

interface DeleteCommentInput {
  commentId: string
  user: SessionUser
  /** The socket that is not told. */
  sender?: string | undefined
}

interface DeletedComment {
  changed: CommentRow
  event: Announced<CommentStatusChanged>
  /** To be recorded after the event. */
  staffAction: CommentAction
}

async function writeDeletion(
  deps: CommentsDeps,
  { commentId, user, sender, change }: DeleteCommentInput & { change: ObjectId },
): Promise<CommentRow | null> {
  const _id = new ObjectId(commentId)
  const { threadId, gameId } = await findHome(deps, commentId)
  const parentId = threadId.equals(_id) ? null : threadId.toHexString()
  const subject = { gameId: gameId.toHexString(), commentId, parentId, status: 'deleted' }
  const said = { $literal: toSaid(deps, { event: 'comment:status', payload: subject, sender }) }
  const unsaid = {
    $literal: toSaid(deps, { event: null, payload: { ...subject, threadId: threadId.toHexString() }, sender }),
  }
  const isVisible = { $eq: ['$status', 'visible'] }

  const write = () =>
    deps.db.comments.findOneAndUpdate(
      { _id, status: { $ne: 'deleted' }, ...(!user.isAdmin && { userId: user._id }) },
      [
        {
          $set: {
            status: 'deleted',
            body: '',
            rev: { $add: [{ $ifNull: ['$rev', 0] }, 1] },
            // The count of the thread announces a reply that it loses.
            said: parentId === null ? said : { $cond: [isVisible, unsaid, said] },
            ...(parentId !== null && { visibilityChange: { $cond: [isVisible, change, '$visibilityChange'] } }),
          },
        },
      ],
      { returnDocument: 'before', projection: { ...rowProjection(user), rev: 1 }, maxTimeMS: MAX_TIME_MS },
    )
  return asRow(await deps.feed.lostAnswers.guard(write, () => announceAgain(deps, 'comment:status', _id, change)))
}

/**
 * Deletes a comment for its author or an admin: the text goes at once, the place in the thread stays.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
export async function deleteComment(deps: CommentsDeps, input: DeleteCommentInput): Promise<DeletedComment> {
  const { user, sender } = input
  const change = new ObjectId()
  const before = await writeDeletion(deps, { ...input, change })
  if (before === null) {
    await readAuthorAndStatus(deps, new ObjectId(input.commentId))
    throw new DomainError('FORBIDDEN', MESSAGES.commentNotYours)
  }
  try {
    const event = await countStatusChange(deps, { before, status: 'deleted', change, sender })
    await deps.failpoint('comment:written')
    return {
      changed: { ...before, status: 'deleted' },
      event,
      staffAction: { action: 'comment-deleted', user, before },
    }
  } finally {
    dropDiscussion(deps, before.gameId)
  }
}
