import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentCreated } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import type { Announced } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { toSaid } from '../events/announcement.ts'
import { findUnknownGames } from '../events/existing-games.ts'
import { announceAgain } from './announce-again.ts'
import { dropDiscussion } from './caches.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { moveRepliesCount } from './move-replies-count.ts'
import { sanitizeBody } from './sanitize-body.ts'

interface CreateCommentInput {
  _id: ObjectId
  gameId: string
  /** The comment answered, if any. */
  parentId: string | null | undefined
  /** Rich text as the reader wrote it. */
  body: string
  isSpoiler: boolean
  author: SessionUser
  /** The socket that is not told. */
  sender?: string | undefined
}

type AnsweredComment = Pick<CommentDocument, '_id' | 'userId' | 'parentId' | 'status'>

async function findParent({ db }: CommentsDeps, parentId: string, gameId: ObjectId): Promise<AnsweredComment> {
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
  { _id, gameId: game, parentId, body, isSpoiler, author, sender }: CreateCommentInput,
): Promise<{ created: CommentRow; answered: AnsweredComment | null; event: Announced<CommentCreated> }> {
  const { db, limits, clock, feed, commentCaches } = deps
  const clean = sanitizeBody(body)
  const gameId = new ObjectId(game)
  const [unknown] = await findUnknownGames(deps, [game])
  if (unknown !== undefined) throw new DomainError('NOT_FOUND', MESSAGES.gameNotFound)
  const answered = parentId ? await findParent(deps, parentId, gameId) : null
  const threadId = answered && (answered.parentId ?? answered._id)
  await limits.comments.consume(author._id.toHexString())

  const subject = { gameId: game, commentId: _id.toHexString(), parentId: threadId?.toHexString() ?? null }
  const said = toSaid(deps, { event: 'comment:created', payload: subject, sender })
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
    said: threadId
      ? toSaid(deps, { event: null, payload: { gameId: game, threadId: threadId.toHexString() }, sender })
      : said,
  }
  const guard = <T>(write: () => Promise<T>, options = {}) =>
    feed.lostAnswers.guard(write, () => announceAgain(deps, 'comment:created', _id), options)
  try {
    await guard(() => db.comments.insertOne(stored, { maxTimeMS: MAX_TIME_MS }))
    commentCaches.homes.set(subject.commentId, { threadId: threadId ?? _id, gameId })
    const thread =
      threadId &&
      (await guard(() => moveRepliesCount(deps, { threadId, change: _id, by: 1, said }), { isAfterWrite: true }))
    await deps.failpoint('comment:written')

    return {
      created: { ...stored, isLiked: false, isReported: false },
      answered,
      event: {
        payload: { ...subject, parentRepliesCount: thread?.repliesCount ?? null },
        version: { threadRev: thread?.rev },
      },
    }
  } finally {
    dropDiscussion(deps, gameId)
  }
}
