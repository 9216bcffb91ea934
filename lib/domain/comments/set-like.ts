import { type Document, ObjectId, type UpdateFilter } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { LikeState } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentLikes } from '../../contract/namespaces/comments.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
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

/** Moves the last voter to the free place, because `$pull` would log the whole list instead of one place and the length. */
function withoutVoter(voter: ObjectId, sentBy: string): Document[] {
  const place = { $cond: [{ $eq: ['$$this', '$$free'] }, '$$last', '$$this'] }
  const likedBy = {
    $let: {
      vars: {
        free: { $indexOfArray: ['$likedBy', voter] },
        last: { $subtract: [{ $size: '$likedBy' }, 1] },
      },
      in: { $map: { input: { $range: [0, '$$last'] }, in: { $arrayElemAt: ['$likedBy', place] } } },
    },
  }
  const likesCount = { $subtract: ['$likesCount', 1] }
  return [{ $set: { likedBy, likesCount, rev: { $add: [{ $ifNull: ['$rev', 0] }, 1] }, sentBy } }]
}

type Liked = Pick<CommentDocument, '_id' | 'gameId' | 'likesCount' | 'rev'>

const LIKED_FIELDS = { gameId: 1, likesCount: 1, rev: 1 } as const

/** Makes the event of a like that was given or taken back. */
const toLikes = ({ _id, gameId, likesCount, rev }: Liked) => ({
  payload: { gameId: gameId.toHexString(), commentId: _id.toHexString(), likesCount },
  version: { rev },
})

async function writeLike(
  deps: CommentsDeps,
  { user: { _id: me }, socketId }: Actor,
  { commentId, isActive }: SetLikeInput,
): Promise<Changed<LikeState, CommentLikes>> {
  const { comments } = deps.db
  const _id = new ObjectId(commentId)
  const sentBy = createSentBy(deps, socketId)
  const written = await comments.findOneAndUpdate(
    { _id, status: 'visible', userId: { $ne: me }, likedBy: isActive ? { $ne: me } : me },
    isActive ? withVoter(me, sentBy) : withoutVoter(me, sentBy),
    { returnDocument: 'after', projection: LIKED_FIELDS },
  )
  if (written !== null) {
    deps.commentCaches.dropPages(written.gameId)
    await deps.failpoint('comment:written')
    return { result: { count: written.likesCount, isActive }, event: toLikes(written) }
  }

  const comment = await comments.findOne({ _id }, { projection: { userId: 1, status: 1, likesCount: 1 } })
  if (comment?.status !== 'visible') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (comment.userId.equals(me)) throw new DomainError('INVALID', MESSAGES.ownCommentLike)
  return { result: { count: comment.likesCount, isActive }, event: null }
}

/** Sets or takes back a like; a repeat changes nothing. @throws DomainError NOT_FOUND, INVALID for an own comment */
export const setLike = (deps: CommentsDeps, actor: Actor, input: SetLikeInput): Promise<LikeState> =>
  inThread(deps, actor, { commentId: input.commentId, send: deps.emit.comments.likes }, () =>
    writeLike(deps, actor, input),
  )

async function takeBack(deps: CommentsDeps, { user: { _id: me }, socketId }: Actor, commentId: string) {
  const { comments, reports } = deps.db
  const _id = new ObjectId(commentId)
  const sentBy = createSentBy(deps, socketId)
  const reported = await deps.db.transaction(async (session) => {
    const report = await reports.findOneAndDelete({ commentId: _id, reporterId: me }, { session })
    const isOpen = report?.outcome === null
    const change = isOpen
      ? { $pull: { reportedBy: me }, $inc: { reportsCount: -1 } }
      : { $inc: { decidedReportsCount: -1 } }
    if (report) await comments.updateOne({ _id }, { ...change, $set: { sentBy } }, { session })
    // A comment that reports have hidden waits for an admin without them, too.
    const left = { _id, status: 'hidden', reportsCount: 0, heldAt: { $exists: false } } as const
    if (isOpen) await comments.updateOne(left, { $set: { heldAt: null } }, { session })
    return report
  })
  if (reported) deps.emit.reports.changed({ commentId })
  const liked = await comments.findOneAndUpdate({ _id, likedBy: me }, withoutVoter(me, sentBy), {
    returnDocument: 'after',
    projection: LIKED_FIELDS,
  })
  const changed = liked ?? reported
  if (changed) deps.commentCaches.dropPages(changed.gameId)
  await deps.failpoint('comment:written')
  return { result: undefined, event: liked && toLikes(liked) }
}

/** Takes back the actor's like and report of a comment, whatever its status. */
export const takeVotesBack = (deps: CommentsDeps, actor: Actor, { commentId }: { commentId: string }): Promise<void> =>
  inThread(deps, actor, { commentId, send: deps.emit.comments.likes }, () => takeBack(deps, actor, commentId))
