import { ObjectId } from 'mongodb'
import type { CommentAuthor } from '../../contract/comments.ts'
import type { CommentsDeps } from './deps.ts'

/** Finds the public side of users by their hex ids, through a cache; `author` is null for a user who is gone. */
export async function findAuthors(
  { db, commentCaches }: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  ids: readonly ObjectId[],
): Promise<ReadonlyMap<string, { author: CommentAuthor | null }>> {
  const keys = ids.map((id) => id.toHexString())
  return await commentCaches.authors.readMany(keys, async (missing) => {
    const filter = { _id: { $in: missing.map((id) => new ObjectId(id)) } }
    const users = await db.users.find(filter, { projection: { userName: 1, avatar: 1 } }).toArray()
    const found = new Map(users.map((user) => [user._id.toHexString(), user]))
    return missing.map((_id) => {
      const { userName, avatar } = found.get(_id) ?? {}
      return [
        _id,
        { author: userName === undefined ? null : { _id, userName, ...(avatar !== undefined && { avatar }) } },
      ]
    })
  })
}
