import { NOTIFICATION_ACTORS_MAX } from '../contract/limits.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import type { ContentRequestDocument } from '../db/collections/content-requests.ts'
import type { NotificationDocument } from '../db/collections/notifications.ts'
import type { StaffActionDocument } from '../db/collections/staff-actions.ts'
import { type DemoAccount, findDemoAccounts } from './find-demo-accounts.ts'
import { insertMissing } from './insert-missing.ts'
import { seedComments, seedRequests } from './seed-data.ts'
import { seedId } from './seed-id.ts'
import type { SeedContext } from './seed-part.ts'

type Notice = Pick<NotificationDocument, 'userId' | 'type' | 'key'> & Partial<NotificationDocument>

/** A decided request with the time of its last change. */
type Decided = ContentRequestDocument & { status: 'approved' | 'rejected'; updatedAt: Date }

/** What came lately has not been read. */
const UNREAD_MS = 24 * 60 * 60_000

function toNotification(at: Date, { createdAt = at, updatedAt = createdAt, ...fields }: Notice): NotificationDocument {
  const _id = seedId('notification', `${fields.userId.toHexString()} ${fields.key}`)
  return {
    _id,
    count: 1,
    actors: [],
    gameId: null,
    commentId: null,
    requestId: null,
    facts: null,
    isRead: at.getTime() - updatedAt.getTime() > UNREAD_MS,
    createdAt,
    updatedAt,
    rev: 1,
    changeOf: `${fields.userId.toHexString()}:${_id.toHexString()}`,
    ...fields,
  }
}

/** One notice for each comment that somebody else answered. */
function listReplyNotices(comments: readonly CommentDocument[], users: readonly DemoAccount[]): Notice[] {
  return comments.flatMap((answered): Notice[] => {
    const replies = comments
      .filter(
        ({ replyToId, userId, status }) =>
          replyToId?.equals(answered._id) && !userId.equals(answered.userId) && status === 'visible',
      )
      .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    const [newest] = replies
    if (newest === undefined) return []
    const actors = users.filter(({ _id }) => replies.some(({ userId }) => userId.equals(_id)))
    return [
      {
        userId: answered.userId,
        type: 'reply',
        key: `reply:${answered._id.toHexString()}`,
        count: replies.length,
        actors: actors.slice(0, NOTIFICATION_ACTORS_MAX).map(({ _id, userName }) => ({ _id, userName })),
        gameId: newest.gameId,
        commentId: newest._id,
        createdAt: replies.at(-1)?.createdAt ?? newest.createdAt,
        updatedAt: newest.createdAt,
      },
    ]
  })
}

const toRequestNotice = (row: Decided, name: string | null): Notice => ({
  userId: row.userId,
  type: 'request',
  key: `request:${row._id.toHexString()}`,
  requestId: row._id,
  gameId: row.kind === 'game' ? (row.resultId ?? null) : null,
  facts: {
    kind: row.kind,
    action: row.action,
    name,
    status: row.status,
    appliedFields: row.appliedFields ?? [],
    leftOut: [],
    failedFields: [],
    reason: row.reason ?? null,
  },
  createdAt: row.updatedAt,
})

const toModerationNotice = ({ _id, userId, gameId, updatedAt }: CommentDocument): Notice => ({
  userId,
  type: 'moderation',
  key: `moderation:${_id.toHexString()}`,
  commentId: _id,
  gameId,
  facts: { status: 'hidden' },
  createdAt: updatedAt,
})

type Act = Omit<StaffActionDocument, '_id' | 'admin'>

const isDecided = (row: ContentRequestDocument): row is Decided =>
  (row.status === 'approved' || row.status === 'rejected') && row.updatedAt !== undefined

/** Stores what the stored comments and decisions of the first data brought about: notifications and the staff log. */
export async function fillActivity({ db, at }: SeedContext): Promise<void> {
  const users = await findDemoAccounts(db)
  const commentIds = seedComments.map(({ key }) => seedId('comment', key))
  const comments = await db.comments.find({ _id: { $in: commentIds } }).toArray()
  const requestIds = seedRequests.map(({ key }) => seedId('request', key))
  const decided = (await db.contentRequests.find({ _id: { $in: requestIds } }).toArray()).filter(isDecided)
  const hidden = comments.filter(({ status }) => status === 'hidden')
  const targetIds = decided.flatMap(({ targetId }) => targetId ?? [])
  const targets = await db.games.find({ _id: { $in: targetIds } }, { projection: { name: 1 } }).toArray()
  const toEntryName = ({ payload, targetId }: ContentRequestDocument) =>
    typeof payload.name === 'string' ? payload.name : (targets.find(({ _id }) => targetId?.equals(_id))?.name ?? null)

  const notices = [
    ...listReplyNotices(comments, users),
    ...decided.map((row) => toRequestNotice(row, toEntryName(row))),
    ...hidden.map(toModerationNotice),
  ]
  await insertMissing(
    db.notifications,
    notices.map((notice) => toNotification(at, notice)),
  )

  const admin = users.find(({ roles }) => roles?.includes('admin'))
  if (admin === undefined) return
  const acts: Act[] = [
    ...hidden.map(
      ({ _id, gameId, updatedAt }): Act => ({
        at: updatedAt,
        action: 'comment-hidden',
        target: { kind: 'comment', id: _id.toHexString() },
        details: { gameId: gameId.toHexString(), reportsCount: 1 },
      }),
    ),
    ...decided.map((row): Act => {
      const { _id, kind, action, status, updatedAt, reason, appliedFields = [], resultId } = row
      const name = toEntryName(row)
      return {
        at: updatedAt,
        action: `request-${status}`,
        target: { kind: 'request', id: _id.toHexString(), ...(name !== null && { name }) },
        details:
          status === 'rejected'
            ? { kind, action, reason: reason ?? null }
            : { kind, action, appliedFields, resultId: resultId?.toHexString() ?? null },
      }
    }),
    {
      at,
      action: 'admin-granted',
      target: { kind: 'user', id: admin._id.toHexString(), name: admin.userName },
    },
  ]
  await insertMissing(
    db.staffActions,
    acts.map((act) => ({
      _id: seedId('staff action', `${act.action} ${act.target.id}`),
      admin: act.action === 'admin-granted' ? null : { userId: admin._id, userName: admin.userName },
      ...act,
    })),
  )
}
