import { type ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { CommentStatus } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentStatusChanged } from '../../contract/namespaces/comments.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { takeReplyBack } from '../notifications/notify-reply.ts'
import { type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { notifyFirstShowing } from './held.ts'
import { incrementReplyCount, inThread } from './in-thread.ts'

/** A comment in the transaction that may change its status. */
export interface StatusTurn {
  deps: CommentsDeps
  actor: Actor
  session: ClientSession
  before: CommentRow
}

export interface StatusChange {
  status: CommentStatus
  /** Other fields that change with the status. */
  set?: Partial<Pick<CommentDocument, 'actId' | 'body' | 'heldAt' | 'isKept' | 'isSpoiler' | 'updatedAt'>>
  /** Settles the reports. Without it they stay open, and a comment that waits goes on waiting. */
  settle?: () => Promise<{ reportedBy: ObjectId[]; decided: number }>
}

/** A change of a comment; null when there is nothing to change. */
export type ChangedStatus = (Changed<CommentRow, CommentStatusChanged> & { isInInbox: boolean }) | null

export const isOpen = ({ reportsCount, heldAt }: CommentRow) => reportsCount > 0 || heldAt !== undefined

/** Writes a status with all that follows from it alone: count of the thread, version, notification of the reply, event. */
export async function writeStatus(
  { deps, actor, session, before }: StatusTurn,
  { status, set = {}, settle }: StatusChange,
) {
  const { _id, parentId, rev = 0 } = before
  const gameId = before.gameId.toHexString()
  const sentBy = createSentBy(deps, actor.socketId)
  const by = Number(status === 'visible') - Number(before.status === 'visible')
  const isCounted = parentId !== null && (by === 1 || by === -1)
  const thread = isCounted ? await incrementReplyCount(deps, { threadId: parentId, by, sentBy, session }) : null
  const isChanged = status !== before.status
  const isFirstShowing = status === 'visible' && (before.isUnshown || before.isUntold)
  const newNotificationId = isFirstShowing ? await notifyFirstShowing(deps, before, session) : undefined
  const reports = await settle?.()
  const reportFields = reports && { reportsCount: reports.reportedBy.length, reportedBy: reports.reportedBy }
  const stored = await deps.db.comments.findOneAndUpdate(
    { _id },
    {
      $set: {
        ...set,
        ...reportFields,
        ...(status === 'deleted' && { body: '' }),
        ...(newNotificationId && { notificationId: newNotificationId }),
        status,
        sentBy,
      },
      $inc: { rev: Number(isChanged), ...(reports && { decidedReportsCount: reports.decided }) },
      $unset: {
        ...(!set.actId && { actId: 1 }),
        isUntold: 1,
        ...(reports && { heldAt: 1 }),
        ...(status !== 'hidden' && { isUnshown: 1 }),
        ...(status !== 'visible' && { notificationId: 1 }),
      },
    },
    { session, projection: { notificationId: 1 } },
  )
  await deps.failpoint('comment:status-set')
  const { notificationId } = stored ?? {}
  const isTakenBack =
    status !== 'visible' && notificationId !== undefined && (await takeReplyBack(deps, { notificationId }, session))
  const { heldAt: _decided, ...row } = before
  const settled = reportFields ? { ...row, reportsCount: reportFields.reportsCount, isReported: false } : before
  const result = { ...settled, ...set, status }
  const payload = {
    gameId,
    commentId: _id.toHexString(),
    parentId: parentId?.toHexString() ?? null,
    parentRepliesCount: thread?.repliesCount ?? null,
    status,
  }
  const isSent = isChanged && !(before.isUnshown && status === 'deleted')
  return {
    result,
    /** True when admins have to decide about the comment, or had to before. */
    isInInbox: isOpen(before) || isOpen(result),
    isTakenBack,
    event: isSent ? { payload, version: { rev: rev + 1, threadRev: thread?.rev } } : null,
  }
}

/** Reads a comment and may change its status, in one transaction and the turn of its thread. @throws DomainError NOT_FOUND */
export const inStatusTurn = (
  deps: CommentsDeps,
  actor: Actor,
  { commentId, ...options }: { commentId: string; isUnbounded?: true },
  write: (turn: StatusTurn) => Promise<ChangedStatus>,
): Promise<CommentRow> =>
  inThread(deps, actor, { ...options, commentId, send: deps.emit.comments.status }, async () => {
    const projection = rowProjection(actor.user)
    const { before, written } = await deps.db.transaction(async (session) => {
      const filter = { _id: new ObjectId(commentId) }
      const before = await deps.db.comments.findOne<CommentRow>(filter, { session, projection })
      if (before === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
      return { before, written: await write({ deps, actor, session, before }) }
    })
    if (written === null) return { result: before, event: null }
    deps.commentCaches.dropDiscussion(before.gameId)
    await deps.failpoint('comment:written')
    if (written.isInInbox) deps.emit.reports.changed({ commentId })
    return written
  })
