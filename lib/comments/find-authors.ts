import type { ObjectId } from 'mongodb'
import type { CommentAuthor } from '../contract/comments.ts'
import type { CommentsDeps } from './deps.ts'

/** Finds the public side of users by their hex ids, through a cache; a user who is gone maps to null. */
export async function findAuthors(
  { db, commentCaches }: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  ids: readonly ObjectId[],
): Promise<ReadonlyMap<string, CommentAuthor | null>> {
  const found = new Map<string, CommentAuthor | null>()
  const missing = new Map<string, ObjectId>()

  for (const id of ids) {
    const key = id.toHexString()
    const known = commentCaches.authors.get(key)
    if (known === undefined) missing.set(key, id)
    else found.set(key, known.author)
  }
  if (missing.size === 0) return found

  const read = commentCaches.authors.beginRead()
  try {
    const users = await db.users
      .find({ _id: { $in: [...missing.values()] } }, { projection: { userName: 1, avatar: 1 } })
      .toArray()
    for (const { _id, userName, avatar } of users) {
      found.set(_id.toHexString(), { _id: _id.toHexString(), userName, ...(avatar !== undefined && { avatar }) })
    }
    for (const key of missing.keys()) {
      const author = found.get(key) ?? null
      found.set(key, author)
      read.fill(key, { author })
    }
  } finally {
    read.end()
  }
  return found
}
