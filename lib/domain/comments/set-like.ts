import { type Document, ObjectId, type UpdateFilter } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { LikeState } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentLikes } from '../../contract/namespaces/comments.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { VersionedEvent } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { dropPages } from './caches.ts'
import type { CommentsDeps } from './deps.ts'
import { inThread } from './in-thread.ts'

interface SetLikeInput {
  commentId: string
  isActive: boolean
}

const withVoter = (voter: ObjectId, sentBy: string): UpdateFilter<CommentDocument> => ({
  $push: { likedBy: voter },
  $inc: { likesCount: 1, rev: 1 },
  $set: { sentBy },
})

/** Puts the last voter into the gap: `$pull` would log the whole list, this logs one place and the length. */
function withoutVoter(voter: ObjectId, sentBy: string): Document[] {
  const place = { $cond: [{ $eq: ['$$this', '$$gap'] }, '$$last', '$$this'] }
  const likedBy = {
    $let: {
      vars: {
        gap: { $indexOfArray: ['$likedBy', voter] },
        last: { $subtract: [{ $size: '$likedBy' }, 1] },
      },
      in: { $map: { input: { $range: [0, '$$last'] }, in: { $arrayElemAt: ['$likedBy', place] } } },
    },
  }
  const likesCount = { $subtract: ['$likesCount', 1] }
  return [{ $set: { likedBy, likesCount, rev: { $add: [{ $ifNull: ['$rev', 0] }, 1] }, sentBy } }]
}

/** Vote and count are one update of the comment. `event` is null when nothing changed. */
async function writeLike(
  deps: CommentsDeps,
  { user: { _id: me }, socketId }: Actor,
  { commentId, isActive }: SetLikeInput,
): Promise<{ like: LikeState; event: VersionedEvent<CommentLikes> | null }> {
  const { comments } = deps.db
  const _id = new ObjectId(commentId)
  const sentBy = createSentBy(deps, socketId)
  const written = await comments.findOneAndUpdate(
    { _id, status: 'visible', userId: { $ne: me }, likedBy: isActive ? { $ne: me } : me },
    isActive ? withVoter(me, sentBy) : withoutVoter(me, sentBy),
    { returnDocument: 'after', projection: { gameId: 1, likesCount: 1, rev: 1 } },
  )
  if (written !== null) {
    const { gameId, likesCount, rev } = written
    dropPages(deps, gameId)
    await deps.failpoint('comment:written')
    const payload = { gameId: gameId.toHexString(), commentId, likesCount }
    return { like: { count: likesCount, isActive }, event: { payload, version: { rev } } }
  }

  const comment = await comments.findOne({ _id }, { projection: { userId: 1, status: 1, likesCount: 1 } })
  if (comment?.status !== 'visible') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (comment.userId.equals(me)) throw new DomainError('INVALID', MESSAGES.ownCommentLike)
  return { like: { count: comment.likesCount, isActive }, event: null }
}

/**
 * Sets or takes back a like, in the turn of its thread, and tells of it.
 * @throws DomainError NOT_FOUND, INVALID for an own comment
 */
export async function setLike(deps: CommentsDeps, actor: Actor, input: SetLikeInput): Promise<LikeState> {
  return await inThread(deps, { commentId: input.commentId, actor }, async () => {
    const { like, event } = await writeLike(deps, actor, input)
    if (event) deps.emit.comments.likes(event.payload, { ...event.version, except: actor.socketId })
    return like
  })
}
