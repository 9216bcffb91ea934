import { ObjectId } from 'mongodb'
import type { Comment, CommentAuthor } from '../../contract/comments.ts'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { type AuthoredComment, type CommentRow, isReadable, type OwnHeld } from './comment-row.ts'
import type { ShowDeps } from './deps.ts'

type StoredAuthor = Pick<UserDocument, '_id' | 'userName' | 'avatar'>

/** Finds the public side of users by their hex ids, through a cache; `author` is null for a user who is gone. */
export async function findAuthors(
  { db, commentCaches, storage }: ShowDeps,
  ids: readonly ObjectId[],
): Promise<ReadonlyMap<string, { author: CommentAuthor | null }>> {
  const keys = ids.map((id) => id.toHexString())
  return await commentCaches.authors.readMany(keys, async (missing) => {
    const missingIds = missing.map((id) => new ObjectId(id))
    const users = await mapByIds<StoredAuthor>(db.users, missingIds, { userName: 1, avatar: 1 })
    return missing.map((_id) => {
      const user = users.get(_id)
      const avatar = user?.avatar !== undefined && { avatar: storage.addressOf(user.avatar) }
      return [_id, { author: user ? { _id, userName: user.userName, ...avatar } : null }]
    })
  })
}

const hexOrNull = (id: ObjectId | null) => id?.toHexString() ?? null

async function findRepliedTo({ db }: ShowDeps, rows: readonly CommentRow[], loaded: readonly AuthoredComment[]) {
  const read = new Map([...loaded, ...rows].map((comment) => [comment._id.toHexString(), comment]))
  const missing = rows.flatMap(({ replyToId }) => (replyToId && !read.has(replyToId.toHexString()) ? replyToId : []))
  const found = await mapByIds<AuthoredComment>(db.comments, missing, { userId: 1, status: 1 })
  return new Map([...read, ...found])
}

/** Converts stored comments to the view of one viewer, with at most one read for the authors. */
export async function commentsToWire(
  deps: ShowDeps,
  rows: readonly CommentRow[],
  viewer: SessionUser | null,
  { loaded = [], held = [] }: { loaded?: readonly AuthoredComment[]; held?: readonly OwnHeld[] } = {},
): Promise<Comment[]> {
  const repliedTo = await findRepliedTo(deps, rows, loaded)
  const findTarget = ({ replyToId }: CommentRow) => replyToId && repliedTo.get(replyToId.toHexString())

  const named = rows.flatMap((row) => {
    const target = findTarget(row)
    return target ? [row, target] : [row]
  })
  const readable = named.filter((comment) => isReadable(comment, viewer))
  const authorIds = readable.map(({ userId }) => userId)
  const authors = await findAuthors(deps, authorIds)
  const nameAuthor = (comment: AuthoredComment): CommentAuthor | null =>
    isReadable(comment, viewer) ? (authors.get(comment.userId.toHexString())?.author ?? null) : null

  return rows.map((row) => {
    const canRead = isReadable(row, viewer)
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
      ...(canRead && row.heldAt && { isHeld: true as const }),
      ...(held.some(({ parentId }) => parentId?.equals(row._id)) && { hasHeldReplies: true as const }),
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

/** Converts one stored comment. */
export async function commentToWire(
  deps: ShowDeps,
  row: CommentRow,
  viewer: SessionUser | null,
  options: { loaded?: readonly AuthoredComment[] } = {},
): Promise<Comment> {
  const [comment] = await commentsToWire(deps, [row], viewer, options)
  if (comment === undefined) throw new Error('one row makes one comment')
  return comment
}
