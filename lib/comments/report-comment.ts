import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import { toSaid } from '../events/announcement.ts'
import { announceAgain } from './announce-again.ts'
import { dropPages } from './caches.ts'
import type { CommentsDeps } from './deps.ts'
import { findHome } from './find-home.ts'
import { readAuthorAndStatus } from './read-author-and-status.ts'

/**
 * Reports a visible comment of somebody else; a repeat changes nothing.
 * @throws DomainError NOT_FOUND, INVALID for an own comment
 */
export async function reportComment(
  deps: CommentsDeps,
  { commentId, reporter }: { commentId: string; reporter: SessionUser },
): Promise<void> {
  const _id = new ObjectId(commentId)
  const me = reporter._id
  const { gameId } = await findHome(deps, commentId)
  const said = toSaid(deps, { event: null, payload: { gameId: gameId.toHexString() } })
  const write = () =>
    deps.db.comments.updateOne(
      { _id, status: 'visible', userId: { $ne: me }, reportedBy: { $ne: me } },
      { $push: { reportedBy: me }, $inc: { reportsCount: 1 }, $set: { said } },
      { maxTimeMS: MAX_TIME_MS },
    )
  const { matchedCount } = await deps.feed.lostAnswers.guard(write, () => announceAgain(deps, null, _id))
  if (matchedCount === 1) return dropPages(deps, gameId)

  const { userId, status } = await readAuthorAndStatus(deps, _id)
  if (status !== 'visible') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (userId.equals(me)) throw new DomainError('INVALID', MESSAGES.ownCommentReport)
}
