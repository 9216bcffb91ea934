import type { ClientSession, Filter, ObjectId } from 'mongodb'
import {
  BY_AUTHOR_AND_STATUS,
  type CommentDocument,
  HELD_OF_GAME,
} from '../../infrastructure/db/collections/comments.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { notifyReply } from '../notifications/notify-reply.ts'
import type { CommentRow, OwnHeld } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'

const HELD_MAX = 10_000

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

/** Finds the viewer's comments of a game that wait, also those from before a change of the setting. */
export async function findOwnHeld(
  { db, commentCaches }: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  gameId: ObjectId,
  viewer: SessionUser | null,
): Promise<OwnHeld[]> {
  if (viewer === null || viewer.isAdmin) return []
  const options = { projection: { userId: 1, parentId: 1, repliesCount: 1 }, hint: HELD_OF_GAME, limit: HELD_MAX }
  const load = () => db.comments.find<OwnHeld>({ gameId, heldAt: { $ne: null } }, options).toArray()
  const held = await commentCaches.held.read(gameId.toHexString(), load)
  return held.filter(({ userId }) => userId.equals(viewer._id))
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
