import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import type { LikeState } from '../contract/comments.ts'
import type { CommentLikes } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Announced } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { toSaid } from '../events/announcement.ts'
import { announceAgain } from './announce-again.ts'
import { dropPages } from './caches.ts'
import type { CommentsDeps } from './deps.ts'
import { findHome } from './find-home.ts'

interface SetLikeInput {
  commentId: string
  voter: SessionUser
  isActive: boolean
  /** The socket that is not told. */
  sender?: string | undefined
}

/**
 * Sets or takes back a like; vote and count are one update of the comment. `event` is null when nothing changed.
 * @throws DomainError NOT_FOUND, INVALID for an own comment
 */
export async function setLike(
  deps: CommentsDeps,
  { commentId, voter, isActive, sender }: SetLikeInput,
): Promise<{ like: LikeState; event: Announced<CommentLikes> | null }> {
  const { comments } = deps.db
  const _id = new ObjectId(commentId)
  const me = voter._id
  const { gameId } = await findHome(deps, commentId)
  const subject = { gameId: gameId.toHexString(), commentId }
  const said = toSaid(deps, { event: 'comment:likes', payload: subject, sender })
  const readAgain = () => announceAgain(deps, 'comment:likes', _id)
  const write = async () => {
    const result = await deps.likeWrites({ commentId: _id, voter: me, isActive, said })
    if (result.outcome === 'uncounted') await readAgain()
    if (result.outcome === 'uncounted' || result.outcome === 'failed') throw result.error
    return result
  }
  const written = await deps.feed.lostAnswers.guard(write, readAgain)
  if (written.outcome === 'written') {
    dropPages(deps, gameId)
    await deps.failpoint('comment:written')
    const { likesCount, rev } = written
    return { like: { count: likesCount, isActive }, event: { payload: { ...subject, likesCount }, version: { rev } } }
  }

  const comment = await comments.findOne({ _id }, { projection: { userId: 1, status: 1, likesCount: 1 } })
  if (comment?.status !== 'visible') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (comment.userId.equals(me)) throw new DomainError('INVALID', MESSAGES.ownCommentLike)
  return { like: { count: comment.likesCount, isActive }, event: null }
}
