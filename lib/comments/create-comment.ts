import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentCreated } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import { DomainError } from '../errors.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { moveRepliesCount } from './move-replies-count.ts'
import { sanitizeBody } from './sanitize-body.ts'
import { forgetTotals } from './totals.ts'

interface NewComment {
  _id: ObjectId
  gameId: string
  /** The comment answered, if any. */
  parentId: string | null | undefined
  /** Rich text as the reader wrote it. */
  body: string
  isSpoiler: boolean
  author: SessionUser
}

type Answered = Pick<CommentDocument, '_id' | 'userId' | 'parentId' | 'status'>

async function findParent({ db }: CommentsDeps, parentId: string, gameId: ObjectId): Promise<Answered> {
  const answered = await db.comments.findOne(
    { _id: new ObjectId(parentId), gameId },
    { projection: { userId: 1, parentId: 1, status: 1 } },
  )
  if (answered === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (answered.status !== 'visible') throw new DomainError('INVALID', MESSAGES.commentNotVisible)
  return answered
}

/**
 * Stores a comment, or a reply with the count of its thread. Answers the comment answered, too, so that it can be named.
 * @throws DomainError INVALID, NOT_FOUND, RATE_LIMITED
 */
export async function createComment(
  deps: CommentsDeps,
  { _id, gameId: game, parentId, body, isSpoiler, author }: NewComment,
): Promise<{ created: CommentRow; answered: Answered | null; event: CommentCreated }> {
  const { db, limits, clock, commentCaches } = deps
  const clean = sanitizeBody(body)
  const gameId = new ObjectId(game)
  if ((await db.games.findOne({ _id: gameId }, { projection: { _id: 1 } })) === null) {
    throw new DomainError('NOT_FOUND', MESSAGES.gameNotFound)
  }
  const answered = parentId ? await findParent(deps, parentId, gameId) : null
  const threadId = answered && (answered.parentId ?? answered._id)
  await limits.comments.consume(author._id.toHexString())

  const now = clock()
  const stored: CommentDocument = {
    _id,
    gameId,
    userId: author._id,
    parentId: threadId,
    replyToId: answered?._id ?? null,
    body: clean,
    isSpoiler,
    likesCount: 0,
    likedBy: [],
    repliesCount: 0,
    reportsCount: 0,
    reportedBy: [],
    status: 'visible',
    createdAt: now,
    updatedAt: now,
  }
  try {
    await db.comments.insertOne(stored, { maxTimeMS: MAX_TIME_MS })
    commentCaches.threads.set(_id.toHexString(), threadId ?? _id)
    const parentRepliesCount = threadId && (await moveRepliesCount(deps, threadId, 1))

    return {
      created: { ...stored, isLiked: false, isReported: false },
      answered,
      event: {
        gameId: gameId.toHexString(),
        commentId: _id.toHexString(),
        parentId: threadId?.toHexString() ?? null,
        parentRepliesCount,
      },
    }
  } finally {
    forgetTotals(deps, gameId)
  }
}
