import { ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import type { Comment, CreateCommentBody } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentCreated } from '../../contract/namespaces/comments.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import { takeNewAccountPoint } from '../../infrastructure/limits/new-account-limit.ts'
import type { Actor } from '../auth/actor.ts'
import { findUnknownGames } from '../catalogue/existing-games.ts'
import { sanitizeBody } from '../markup/sanitize-body.ts'
import { notifyReply } from '../notifications/notify-reply.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { mustWait } from './held.ts'
import { incrementReplyCount, inThread } from './in-thread.ts'
import { assertAllowedBody } from './new-account-body.ts'
import { keepThreadRef } from './thread-refs.ts'
import { commentToWire } from './to-wire.ts'

type CreateCommentInput = z.output<typeof CreateCommentBody>
type StoredComment = CommentDocument & { sentBy: string }
type RepliedTo = Pick<CommentDocument, '_id' | 'userId' | 'parentId' | 'status'>

async function findRepliedTo({ db }: CommentsDeps, parentId: string, gameId: ObjectId): Promise<RepliedTo> {
  const repliedTo = await db.comments.findOne(
    { _id: new ObjectId(parentId), gameId },
    { projection: { userId: 1, parentId: 1, status: 1 } },
  )
  if (repliedTo === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (repliedTo.status !== 'visible') throw new DomainError('INVALID', MESSAGES.commentNotVisible)
  return repliedTo
}

/** Inserts a comment; a shown reply together with the count of its thread, which is returned, and its notification. */
async function insert(deps: CommentsDeps, stored: StoredComment, actor: Actor, repliedTo: RepliedTo | null) {
  const { _id, gameId, parentId: threadId, sentBy } = stored
  if (threadId === null || repliedTo === null || stored.heldAt) {
    await deps.db.comments.insertOne(stored)
    return null
  }
  return await deps.db.transaction(async (session) => {
    const thread = await incrementReplyCount(deps, { threadId, by: 1, sentBy, session })
    const notificationId = await notifyReply(deps, actor, { _id, gameId, repliedTo }, session)
    await deps.failpoint('comment:notified')
    await deps.db.comments.insertOne({ ...stored, ...(notificationId && { notificationId }) }, { session })
    await deps.failpoint('comment:inserted')
    return thread
  })
}

async function writeComment(
  deps: CommentsDeps,
  actor: Actor,
  { gameId: game, parentId, body, isSpoiler }: CreateCommentInput,
): Promise<Changed<{ created: CommentRow; repliedTo: RepliedTo | null }, CommentCreated>> {
  const clean = sanitizeBody(body)
  assertAllowedBody(actor.user, clean)
  const gameId = new ObjectId(game)
  const [unknown] = await findUnknownGames(deps, [game])
  if (unknown !== undefined) throw new DomainError('NOT_FOUND', MESSAGES.gameNotFound)
  const repliedTo = parentId ? await findRepliedTo(deps, parentId, gameId) : null
  await deps.limits.comments.consume(actor.user._id.toHexString())
  await takeNewAccountPoint(deps, actor.user, 'comments')

  const isHeld = await mustWait(deps, actor.user)
  const now = deps.clock()
  const stored = {
    _id: new ObjectId(),
    gameId,
    userId: actor.user._id,
    parentId: repliedTo && (repliedTo.parentId ?? repliedTo._id),
    replyToId: repliedTo?._id ?? null,
    body: clean,
    isSpoiler,
    likesCount: 0,
    likedBy: [],
    repliesCount: 0,
    reportsCount: 0,
    reportedBy: [],
    status: isHeld ? ('hidden' as const) : ('visible' as const),
    ...(isHeld && { heldAt: now, isUnshown: true as const }),
    createdAt: now,
    updatedAt: now,
    sentBy: createSentBy(deps, actor.socketId),
  }
  const thread = await insert(deps, stored, actor, repliedTo)
  keepThreadRef(deps, stored)
  // A visible thread is listed with and without replies.
  if (thread?.status === 'visible') deps.commentCaches.dropPages(gameId)
  else deps.commentCaches.dropDiscussion(gameId)
  await deps.failpoint('comment:written')
  const result = { created: { ...stored, isLiked: false, isReported: false }, repliedTo }
  if (isHeld) {
    deps.emit.reports.changed({ commentId: stored._id.toHexString() })
    return { result, event: null }
  }

  const payload = {
    gameId: game,
    commentId: stored._id.toHexString(),
    parentId: stored.parentId?.toHexString() ?? null,
    parentRepliesCount: thread?.repliesCount ?? null,
  }
  return { result, event: { payload, version: { threadRev: thread?.rev } } }
}

/**
 * Stores a comment, or a reply with the count of its thread. One that waits for a moderator sends no event and moves no count.
 * @throws DomainError INVALID, NOT_FOUND, RATE_LIMITED
 */
export async function createComment(deps: CommentsDeps, actor: Actor, input: CreateCommentInput): Promise<Comment> {
  const turn = { commentId: input.parentId, send: deps.emit.comments.created }
  const { created, repliedTo } = await inThread(deps, actor, turn, () => writeComment(deps, actor, input))
  return commentToWire(deps, created, actor.user, { loaded: repliedTo ? [repliedTo] : [] })
}
