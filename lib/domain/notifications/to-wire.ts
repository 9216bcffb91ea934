import type { ObjectId } from 'mongodb'
import type { Notification, NotificationPayload } from '../../contract/notifications.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import type { NotificationDocument } from '../../infrastructure/db/collections/notifications.ts'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { toExcerpt } from '../markup/to-excerpt.ts'
import type { NotificationsDeps } from './deps.ts'

type Reply = Pick<CommentDocument, '_id' | 'body' | 'isSpoiler' | 'status'>
type Game = Pick<GameDocument, '_id' | 'name' | 'slug'>
type Author = Pick<UserDocument, '_id' | 'userName'>

const present = (ids: readonly (ObjectId | null)[]) => ids.flatMap((id) => id ?? [])
const hexOrNull = (id: ObjectId | null) => id?.toHexString() ?? null

const NO_FACTS = {
  decision: null,
  requestKind: null,
  requestName: null,
  reason: null,
  status: null,
  appliedFields: null,
  leftOut: null,
  failedFields: null,
  outcome: null,
  until: null,
}

function toFacts(facts: NotificationDocument['facts']): Partial<NotificationPayload> {
  if (facts === null) return {}
  if ('until' in facts) return { ...facts, until: facts.until?.toISOString() ?? null }
  if (!('kind' in facts)) return facts
  const { kind, action: _action, name, status, ...fields } = facts
  return { ...fields, decision: status === 'approved' ? 'approve' : 'reject', requestKind: kind, requestName: name }
}

/** Converts notifications to the view of their user, with one read each for games, replies and their authors. */
export async function notificationsToWire({ db }: NotificationsDeps, rows: readonly NotificationDocument[]) {
  const replyIds = rows.map(({ type, commentId }) => (type === 'comment-reply' ? commentId : null))
  const authorIds = rows.flatMap(({ actors }) => actors.map(({ _id }) => _id))
  const [games, replies, authors] = await Promise.all([
    mapByIds<Game>(db.games, present(rows.map(({ gameId }) => gameId)), { name: 1, slug: 1 }),
    mapByIds<Reply>(db.comments, present(replyIds), { body: 1, isSpoiler: 1, status: 1 }),
    mapByIds<Author>(db.users, authorIds, { userName: 1 }),
  ])
  const readExcerpt = ({ type, commentId }: NotificationDocument) => {
    if (type !== 'comment-reply') return null
    const reply = commentId && replies.get(commentId.toHexString())
    return reply?.status === 'visible' && !reply.isSpoiler ? toExcerpt(reply.body) : ''
  }
  // A site may rename its users; the stored name is that of the reply.
  const toActor = ({ _id, userName }: NotificationDocument['actors'][number]) => {
    const hex = _id.toHexString()
    return { _id: hex, userName: authors.get(hex)?.userName ?? userName }
  }
  return rows.map((row): Notification => {
    const game = row.gameId && games.get(row.gameId.toHexString())
    return {
      _id: row._id.toHexString(),
      type: row.type,
      actors: row.actors.map(toActor),
      actorsCount: row.actorsCount,
      payload: {
        ...NO_FACTS,
        ...toFacts(row.facts),
        gameId: hexOrNull(row.gameId),
        gameName: game?.name ?? null,
        gameSlug: game?.slug ?? null,
        commentId: hexOrNull(row.commentId),
        requestId: hexOrNull(row.requestId),
        excerpt: readExcerpt(row),
        count: row.count,
      },
      isRead: row.isRead,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }
  })
}
