import type { ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { Changed, SendOptions } from '../../infrastructure/events/emitter.ts'
import type { Actor } from '../auth/actor.ts'
import type { CommentsDeps } from './deps.ts'
import { findThreadRef } from './thread-refs.ts'

/**
 * Changes a thread's count of visible replies by one, as the first write of a transaction: replies of one thread wait here
 * for each other, before anything else is locked.
 * @throws DomainError NOT_FOUND when the thread is gone
 */
export async function incrementReplyCount(
  { db, failpoint }: Pick<CommentsDeps, 'db' | 'failpoint'>,
  { threadId, by, sentBy, session }: { threadId: ObjectId; by: 1 | -1; sentBy: string; session: ClientSession },
): Promise<Pick<CommentDocument, 'repliesCount' | 'rev' | 'status'>> {
  const thread = await db.comments.findOneAndUpdate(
    { _id: threadId },
    { $inc: { repliesCount: by, rev: 1 }, $set: { sentBy } },
    { session, returnDocument: 'after', projection: { repliesCount: 1, rev: 1, status: 1 } },
  )
  if (thread === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  await failpoint('comment:counted')
  return thread
}

interface Turn<P> {
  /** A comment of the thread; without one the change begins a thread. The change refuses an unknown one. */
  commentId: string | null | undefined
  send: (payload: P, options: SendOptions) => void
  /** True where the rate limit alone bounds how many changes of one actor wait. */
  isUnbounded?: true
}

/**
 * Runs a change after all earlier ones of its thread, and sends its event to everybody but the actor's socket.
 * @throws DomainError RATE_LIMITED when too many changes of this actor wait there
 */
export async function inThread<R, P>(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches' | 'queue'>,
  actor: Actor,
  { commentId, send, isUnbounded }: Turn<P>,
  change: () => Promise<Changed<R, P>>,
): Promise<R> {
  const turn = async () => {
    const { result, event } = await change()
    if (event) send(event.payload, { ...event.version, except: actor.socketId })
    return result
  }
  if (!commentId) return turn()
  const ref = await findThreadRef(deps, commentId)
  const options = { ...(!isUnbounded && { owner: actor.user._id.toHexString() }), isGone: actor.isGone }
  return deps.queue.run(`thread:${ref?.threadId ?? commentId}`, turn, options)
}
