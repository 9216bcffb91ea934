import type { ObjectId } from 'mongodb'
import type { CommentUpdated } from '../contract/comments-namespace.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import { dropDiscussion } from './caches.ts'
import { countReply } from './count-reply.ts'
import type { CommentsDeps } from './deps.ts'

type AnnounceAgainDeps = Pick<CommentsDeps, 'db' | 'emit' | 'commentCaches' | 'instance' | 'failpoint'>
type CommentEvent = 'comment:created' | 'comment:updated' | 'comment:status' | 'comment:likes'

type Stored = Omit<CommentDocument, 'likedBy' | 'reportedBy'>

async function findThread({ db }: AnnounceAgainDeps, { parentId }: Stored) {
  if (parentId === null) return null
  return await db.comments.findOne({ _id: parentId }, { projection: { repliesCount: 1, rev: 1 } })
}

/** The event of an edited comment, for one that may still be read. */
export function toUpdated({ _id, gameId, body, isSpoiler, updatedAt }: Stored): CommentUpdated {
  const subject = { gameId: gameId.toHexString(), commentId: _id.toHexString() }
  return { ...subject, body, isSpoiler, updatedAt: updatedAt.toISOString() }
}

async function announceState(
  deps: AnnounceAgainDeps,
  { event, comment, change }: { event: CommentEvent; comment: Stored; change: ObjectId | undefined },
): Promise<void> {
  const { comments } = deps.emit
  const { rev } = comment
  const subject = { gameId: comment.gameId.toHexString(), commentId: comment._id.toHexString() }
  if (event === 'comment:likes') return comments.likes({ ...subject, likesCount: comment.likesCount }, { rev })
  if (event === 'comment:updated') {
    if (comment.status === 'visible') comments.updated(toUpdated(comment), { rev })
    return
  }
  // Another stamp is that of another change, which its own writer counts, or counted long ago.
  const isOwnChange = event === 'comment:created' || (change && comment.visibilityChange?.equals(change))
  if (comment.parentId !== null && isOwnChange) return countReply(deps, { reply: comment, event })
  const thread = await findThread(deps, comment)
  const parent = {
    parentId: comment.parentId?.toHexString() ?? null,
    parentRepliesCount: thread?.repliesCount ?? null,
  }
  const threadRev = thread?.rev
  if (event === 'comment:created') comments.created({ ...subject, ...parent }, { threadRev })
  else comments.status({ ...subject, ...parent, status: comment.status }, { rev, threadRev })
}

/**
 * Announces a comment as it is stored, after the answer to a write of it was lost: the write may have happened. A reply is
 * counted first, in case that was not; `change` is the `visibilityChange` that the write would have stored. Nothing is
 * sent when that state was announced before.
 */
export async function announceAgain(
  deps: AnnounceAgainDeps,
  event: CommentEvent | null,
  _id: ObjectId,
  change?: ObjectId,
): Promise<void> {
  const comment = await deps.db.comments.findOne({ _id }, { projection: { likedBy: 0, reportedBy: 0 } })
  if (comment === null) return
  dropDiscussion(deps, comment.gameId)
  if (event !== null) await announceState(deps, { event, comment, change })
}
