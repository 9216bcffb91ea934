import { ObjectId } from 'mongodb'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { ThreadRef } from './caches.ts'
import type { CommentsDeps } from './deps.ts'

type Deps = Pick<CommentsDeps, 'db' | 'commentCaches'>
type Located = Pick<CommentDocument, '_id' | 'gameId' | 'parentId'>

const LOCATION = { parentId: 1, gameId: 1 } as const

export function keepThreadRef(deps: Pick<Deps, 'commentCaches'>, { _id, parentId, gameId }: Located): ThreadRef {
  const ref = { threadId: parentId ?? _id, gameId }
  deps.commentCaches.threadRefs.set(_id.toHexString(), ref)
  return ref
}

/** Finds the thread and the game of a comment through a cache. Null for an unknown comment. */
export async function findThreadRef(deps: Deps, commentId: string): Promise<ThreadRef | null> {
  const cached = deps.commentCaches.threadRefs.get(commentId)
  if (cached !== undefined) return cached
  const comment = await deps.db.comments.findOne({ _id: new ObjectId(commentId) }, { projection: LOCATION })
  return comment && keepThreadRef(deps, comment)
}

/** Loads the threads of comments that are not cached, in one query or none. */
export async function loadThreadRefs(deps: Deps, ids: readonly ObjectId[]): Promise<void> {
  const missing = ids.filter((id) => !deps.commentCaches.threadRefs.has(id.toHexString()))
  const found = await mapByIds<Located>(deps.db.comments, missing, LOCATION)
  for (const comment of found.values()) keepThreadRef(deps, comment)
}
