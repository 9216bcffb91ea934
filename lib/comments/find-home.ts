import { ObjectId } from 'mongodb'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import type { CommentHome } from './caches.ts'
import type { CommentsDeps } from './deps.ts'

/** Looks up the thread and the game of a comment, through a map; null for an unknown one. */
export async function lookUpHome(
  { db, commentCaches: { homes } }: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  commentId: string,
): Promise<CommentHome | null> {
  const known = homes.get(commentId)
  if (known !== undefined) return known

  const _id = new ObjectId(commentId)
  const comment = await db.comments.findOne({ _id }, { projection: { parentId: 1, gameId: 1 } })
  if (comment === null) return null
  const home = { threadId: comment.parentId ?? _id, gameId: comment.gameId }
  homes.set(commentId, home)
  return home
}

/**
 * The same for a comment that is about to be changed.
 * @throws DomainError NOT_FOUND
 */
export async function findHome(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  commentId: string,
): Promise<CommentHome> {
  const home = await lookUpHome(deps, commentId)
  if (home === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  return home
}
