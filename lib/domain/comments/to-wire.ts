import type { ObjectId } from 'mongodb'
import type { Comment, CommentAuthor } from '../../contract/comments.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { type AuthoredComment, type CommentRow, isReadable } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { findAuthors } from './find-authors.ts'

interface Answered {
  known?: readonly AuthoredComment[]
}

const hexOrNull = (id: ObjectId | null) => id?.toHexString() ?? null

async function findAnswered(
  db: CommentsDeps['db'],
  rows: readonly CommentRow[],
  known: readonly AuthoredComment[],
): Promise<ReadonlyMap<string, AuthoredComment>> {
  const answered = new Map<string, AuthoredComment>()
  if (rows.every(({ replyToId }) => replyToId === null)) return answered

  for (const comment of [...known, ...rows]) answered.set(comment._id.toHexString(), comment)
  const missing = rows.flatMap(({ replyToId }) =>
    replyToId !== null && !answered.has(replyToId.toHexString()) ? [replyToId] : [],
  )
  const found = await mapByIds<AuthoredComment>(db.comments, missing, { userId: 1, status: 1 })
  return new Map([...answered, ...found])
}

/** Turns stored comments into what their viewer may see of them, with one read for the authors at most. */
export async function commentsToWire(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  rows: readonly CommentRow[],
  viewer: SessionUser | null,
  { known = [] }: Answered = {},
): Promise<Comment[]> {
  const answered = await findAnswered(deps.db, rows, known)
  const findTarget = ({ replyToId }: CommentRow) => replyToId && answered.get(replyToId.toHexString())

  const named = rows.flatMap((row) => {
    const target = findTarget(row)
    return target ? [row, target] : [row]
  })
  const readable = named.filter(({ status }) => isReadable(status, viewer))
  const authors = await findAuthors(
    deps,
    readable.map(({ userId }) => userId),
  )
  const nameAuthor = (comment: AuthoredComment): CommentAuthor | null =>
    isReadable(comment.status, viewer) ? (authors.get(comment.userId.toHexString())?.author ?? null) : null

  return rows.map((row) => {
    const canRead = isReadable(row.status, viewer)
    const target = findTarget(row)

    return {
      _id: row._id.toHexString(),
      gameId: row.gameId.toHexString(),
      userId: canRead ? row.userId.toHexString() : '',
      parentId: hexOrNull(row.parentId),
      replyToId: hexOrNull(row.replyToId),
      body: canRead ? row.body : '',
      isSpoiler: row.isSpoiler,
      likesCount: row.likesCount,
      repliesCount: row.repliesCount,
      ...(viewer?.isAdmin && { reportsCount: row.reportsCount }),
      status: row.status,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      replyTo: row.replyToId && { _id: row.replyToId.toHexString(), author: target ? nameAuthor(target) : null },
      author: nameAuthor(row),
      isLiked: row.isLiked,
      isReported: row.isReported,
      reviewId: null,
      review: null,
      authorPlaythrough: null,
    }
  })
}

/** The same for one comment. */
export async function commentToWire(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  row: CommentRow,
  viewer: SessionUser | null,
  options: Answered = {},
): Promise<Comment> {
  const [comment] = await commentsToWire(deps, [row], viewer, options)
  if (comment === undefined) throw new Error('one row makes one comment')
  return comment
}
