import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/find-session-user.ts'
import type { Comment } from '../contract/comments.ts'
import type { CommentCreated } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { CommentDocument } from '../db/comments.ts'
import type { Deps } from '../deps.ts'
import { DomainError } from '../errors.ts'
import { moveRepliesCount } from './move-replies-count.ts'
import { sanitizeBody } from './sanitize-body.ts'
import { rememberPlace } from './thread-of.ts'
import { commentToWire } from './to-wire.ts'
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

type Answered = Pick<CommentDocument, '_id' | 'parentId'>

async function findAnswered({ db }: Deps, parentId: string, gameId: ObjectId): Promise<Answered> {
  const answered = await db.comments.findOne(
    { _id: new ObjectId(parentId), gameId },
    { projection: { parentId: 1, status: 1 } },
  )
  if (answered === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (answered.status !== 'visible') throw new DomainError('INVALID', MESSAGES.commentNotVisible)
  return answered
}

/**
 * Stores a comment, or a reply with the count of its thread.
 * @throws DomainError INVALID, NOT_FOUND, RATE_LIMITED
 */
export async function createComment(
  deps: Deps,
  { _id, gameId: game, parentId, body, isSpoiler, author }: NewComment,
): Promise<{ comment: Comment; event: CommentCreated }> {
  const { db, limits, clock } = deps
  const clean = sanitizeBody(body)
  const gameId = new ObjectId(game)
  if ((await db.games.findOne({ _id: gameId }, { projection: { _id: 1 } })) === null) {
    throw new DomainError('NOT_FOUND', MESSAGES.gameNotFound)
  }
  const answered = parentId ? await findAnswered(deps, parentId, gameId) : null
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
    await db.comments.insertOne(stored)
    rememberPlace(deps, _id, { threadId: threadId ?? _id, gameId })
    const parentRepliesCount = threadId && (await moveRepliesCount(deps, threadId, 1))

    return {
      comment: await commentToWire(deps, { ...stored, isLiked: false, isReported: false }, author),
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
