import type { ClientSession, Filter, ObjectId } from 'mongodb'
import {
  BY_AUTHOR_AND_STATUS,
  type CommentDocument,
  HELD_OF_AUTHOR,
} from '../../infrastructure/db/collections/comments.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { notifyReply } from '../notifications/notify-reply.ts'
import { type CommentRow, heldBy } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'

const HELD_MAX = 1_000

/** A comment of the viewer that waits for a moderator. */
export type OwnHeld = Pick<CommentDocument, '_id' | 'parentId' | 'repliesCount'>

/**
 * True while what an author writes waits for a moderator: until enough of the author's comments are visible, or were when their
 * author deleted them. A comment that is decided about at the same time counts only if it was shown before.
 */
export async function mustWait(
  { db, config }: Pick<CommentsDeps, 'db' | 'config'>,
  { _id: userId, isAdmin }: SessionUser,
): Promise<boolean> {
  const limit = config.holdFirstComments
  if (isAdmin || limit === 0) return false
  const kept: Filter<CommentDocument> = { userId, $or: [{ status: 'visible' }, { status: 'deleted', isKept: true }] }
  return (await db.comments.countDocuments(kept, { hint: BY_AUTHOR_AND_STATUS, limit })) < limit
}

/** Finds the viewer's comments of a game that wait. Nothing is looked up where no comments are held. */
export async function findOwnHeld(
  { db, config }: Pick<CommentsDeps, 'db' | 'config'>,
  gameId: ObjectId,
  viewer: SessionUser | null,
): Promise<OwnHeld[]> {
  if (config.holdFirstComments === 0 || viewer === null || viewer.isAdmin) return []
  return await db.comments
    .find<OwnHeld>(
      { ...heldBy(viewer), gameId },
      { projection: { parentId: 1, repliesCount: 1 }, hint: HELD_OF_AUTHOR, limit: HELD_MAX },
    )
    .toArray()
}

/**
 * Notifies of a held reply that is shown for the first time, as of a new one, in the transaction that shows it.
 * @returns the notification that counts the reply; undefined when there is nobody to notify, or nothing to notify of
 */
export async function notifyFirstShowing(
  deps: CommentsDeps,
  { _id, gameId, userId, replyToId }: CommentRow,
  session: ClientSession,
): Promise<ObjectId | undefined> {
  if (replyToId === null) return undefined
  const { comments, users } = deps.db
  const visible = { _id: replyToId, status: 'visible' } as const
  const repliedTo = await comments.findOne(visible, { session, projection: { userId: 1 } })
  const user = await users.findOne({ _id: userId }, { session, projection: { userName: 1 } })
  return repliedTo && user ? await notifyReply(deps, { user }, { _id, gameId, repliedTo }, session) : undefined
}
