import { ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import type { CreateCommentBody } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentCreated } from '../../contract/namespaces/comments.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { VersionedEvent } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { findUnknownGames } from '../catalogue/existing-games.ts'
import { sanitizeBody } from '../markup/sanitize-body.ts'
import { notifyReply } from '../notifications/notify-reply.ts'
import { dropDiscussion, dropPages } from './caches.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { incrementReplyCount } from './increment-reply-count.ts'
import { keepThreadRef } from './thread-refs.ts'

type CreateCommentInput = z.output<typeof CreateCommentBody> & {
  author: SessionUser
  excludeSocketId?: string | undefined
}

type AnsweredComment = Pick<CommentDocument, '_id' | 'userId' | 'parentId' | 'status'>

async function findAnswered({ db }: CommentsDeps, parentId: string, gameId: ObjectId): Promise<AnsweredComment> {
  const answered = await db.comments.findOne(
    { _id: new ObjectId(parentId), gameId },
    { projection: { userId: 1, parentId: 1, status: 1 } },
  )
  if (answered === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (answered.status !== 'visible') throw new DomainError('INVALID', MESSAGES.commentNotVisible)
  return answered
}

/** Inserts a comment; a reply with the count of its thread, which it answers, and the notification of whom it answers. */
async function insert(
  deps: CommentsDeps,
  stored: CommentDocument & { sentBy: string },
  { author, answered }: { author: SessionUser; answered: AnsweredComment | null },
) {
  const { _id, gameId, parentId: threadId, sentBy } = stored
  if (threadId === null || answered === null) {
    await deps.db.comments.insertOne(stored)
    return null
  }
  return await deps.db.transaction(async (session) => {
    const thread = await incrementReplyCount(deps, { threadId, by: 1, sentBy, session })
    const notificationId = await notifyReply(deps, { _id, gameId, author, answered }, session)
    await deps.failpoint('comment:notified')
    await deps.db.comments.insertOne({ ...stored, ...(notificationId && { notificationId }) }, { session })
    await deps.failpoint('comment:inserted')
    return thread
  })
}

/**
 * Stores a comment, or a reply with the count of its thread. Answers the comment answered, too, so that it can be named.
 * @throws DomainError INVALID, NOT_FOUND, RATE_LIMITED
 */
export async function createComment(
  deps: CommentsDeps,
  { gameId: game, parentId, body, isSpoiler, author, excludeSocketId }: CreateCommentInput,
): Promise<{ created: CommentRow; answered: AnsweredComment | null; event: VersionedEvent<CommentCreated> }> {
  const clean = sanitizeBody(body)
  const gameId = new ObjectId(game)
  const [unknown] = await findUnknownGames(deps, [game])
  if (unknown !== undefined) throw new DomainError('NOT_FOUND', MESSAGES.gameNotFound)
  const answered = parentId ? await findAnswered(deps, parentId, gameId) : null
  await deps.limits.comments.consume(author._id.toHexString())

  const now = deps.clock()
  const stored = {
    _id: new ObjectId(),
    gameId,
    userId: author._id,
    parentId: answered && (answered.parentId ?? answered._id),
    replyToId: answered?._id ?? null,
    body: clean,
    isSpoiler,
    likesCount: 0,
    likedBy: [],
    repliesCount: 0,
    reportsCount: 0,
    reportedBy: [],
    status: 'visible' as const,
    createdAt: now,
    updatedAt: now,
    sentBy: createSentBy(deps, excludeSocketId),
  }
  const thread = await insert(deps, stored, { author, answered })
  keepThreadRef(deps, stored)
  // A visible thread is listed with and without replies.
  const drop = thread?.status === 'visible' ? dropPages : dropDiscussion
  drop(deps, gameId)
  await deps.failpoint('comment:written')

  const subject = {
    gameId: game,
    commentId: stored._id.toHexString(),
    parentId: stored.parentId?.toHexString() ?? null,
    parentRepliesCount: thread?.repliesCount ?? null,
  }
  return {
    created: { ...stored, isLiked: false, isReported: false },
    answered,
    event: { payload: subject, version: { threadRev: thread?.rev } },
  }
}
