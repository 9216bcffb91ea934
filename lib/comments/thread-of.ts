import { ObjectId } from 'mongodb'
import type { Deps } from '../deps.ts'
import type { ThreadPlace } from './caches.ts'

type Needs = Pick<Deps, 'db' | 'commentCaches'>

/** Remembers where a new comment stands: the next change of it needs no read to find its thread. */
export function rememberPlace({ commentCaches }: Needs, commentId: ObjectId, place: ThreadPlace): void {
  commentCaches.places.set(commentId.toHexString(), place)
}

/**
 * The key under which everything about one thread happens in order. An unknown comment is a thread of its own: whatever is
 * done in its turn refuses it.
 */
export async function threadOf(deps: Needs, commentId: string): Promise<string> {
  const known = deps.commentCaches.places.get(commentId)
  if (known !== undefined) return threadKey(known.threadId)

  const _id = new ObjectId(commentId)
  const comment = await deps.db.comments.findOne({ _id }, { projection: { gameId: 1, parentId: 1 } })
  if (comment === null) return threadKey(_id)

  const place = { threadId: comment.parentId ?? _id, gameId: comment.gameId }
  rememberPlace(deps, _id, place)
  return threadKey(place.threadId)
}

export const threadKey = (threadId: ObjectId) => `thread:${threadId.toHexString()}`
