import type { ClientSession } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentStatus } from '../contract/comments.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { CommentStatusChanged } from '../contract/namespaces/comments.ts'
import type { StaffActionKind } from '../contract/staff.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import type { VersionedEvent } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { createSentBy } from '../events/sent-by.ts'
import { notifyModeration } from '../notifications/notify-moderation.ts'
import { takeReplyBack } from '../notifications/take-reply-back.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import { dropDiscussion } from './caches.ts'
import { type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { incrementReplyCount } from './increment-reply-count.ts'

/** How a comment is to be; null leaves it as it is. */
interface StatusChange {
  status: CommentStatus
  /** Further fields that change with it. */
  fields: Partial<CommentDocument>
  action: StaffActionKind
}

interface WriteStatusInput {
  _id: CommentDocument['_id']
  user: SessionUser
  excludeSocketId: string | undefined
  /** Chooses the change by the comment as it is. @throws DomainError */
  choose: (before: CommentRow) => StatusChange | null
}

interface WrittenStatus {
  before: CommentRow
  /** Null when the status was that already. */
  event: VersionedEvent<CommentStatusChanged> | null
}

async function write(
  deps: CommentsDeps,
  { _id, user, excludeSocketId, choose }: WriteStatusInput,
  session: ClientSession,
): Promise<WrittenStatus> {
  const { comments } = deps.db
  const filter = { _id, status: { $ne: 'deleted' as const } }
  const before = await comments.findOne<CommentRow>(filter, { session, projection: rowProjection(user) })
  if (before === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  const change = choose(before)
  if (change === null) return { before, event: null }

  const { status, fields, action } = change
  const { gameId, parentId, rev = 0 } = before
  const sentBy = createSentBy(deps, excludeSocketId)
  const by = Number(status === 'visible') - Number(before.status === 'visible')
  const isCounted = parentId !== null && (by === 1 || by === -1)
  const thread = isCounted ? await incrementReplyCount(deps, { threadId: parentId, by, sentBy, session }) : null
  const isNews = status !== before.status
  const counted = await comments.findOneAndUpdate(
    { _id },
    {
      $set: { ...fields, status, sentBy },
      $inc: { rev: Number(isNews) },
      ...(status !== 'visible' && { $unset: { notificationId: 1 } }),
    },
    { session, projection: { notificationId: 1 } },
  )
  await deps.failpoint('comment:status-set')
  const { notificationId } = counted ?? {}
  if (status !== 'visible' && notificationId) await takeReplyBack(deps, { notificationId }, session)
  if (!before.userId.equals(user._id)) {
    const target = { kind: 'comment' as const, id: _id.toHexString() }
    const details = { gameId: gameId.toHexString(), reportsCount: before.reportsCount }
    await recordStaffAction(deps, { admin: user, action, target, details }, { session })
    if (isNews) await notifyModeration(deps, { ...before, status, admin: user }, session)
    await deps.failpoint('comment:action-recorded')
  }
  if (!isNews) return { before, event: null }
  const payload = {
    gameId: gameId.toHexString(),
    commentId: _id.toHexString(),
    parentId: parentId?.toHexString() ?? null,
    parentRepliesCount: thread?.repliesCount ?? null,
    status,
  }
  return { before, event: { payload, version: { rev: rev + 1, threadRev: thread?.rev } } }
}

/**
 * Changes the status of a comment in one transaction with the count of its thread, and with the entry of the staff log where
 * it is somebody else's.
 * @throws DomainError NOT_FOUND for an unknown or deleted comment, and what `choose` throws
 */
export async function writeStatus(deps: CommentsDeps, input: WriteStatusInput): Promise<WrittenStatus> {
  const written = await deps.db.transaction((session) => write(deps, input, session))
  dropDiscussion(deps, written.before.gameId)
  await deps.failpoint('comment:written')
  return written
}
