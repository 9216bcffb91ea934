import type { ObjectId } from 'mongodb'
import { Notification } from '../../contract/notifications.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import type { NotificationDocument } from '../../infrastructure/db/collections/notifications.ts'
import type { UserDocument } from '../../infrastructure/db/collections/users.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { toContract } from '../../infrastructure/db/to-contract.ts'
import { toExcerpt } from '../markup/to-excerpt.ts'
import type { NotificationsDeps } from './deps.ts'

type Reply = Pick<CommentDocument, '_id' | 'body' | 'isSpoiler' | 'status'>
type Game = Pick<GameDocument, '_id' | 'name' | 'slug'>
type Author = Pick<UserDocument, '_id' | 'userName'>

const present = (ids: readonly (ObjectId | null)[]) => ids.flatMap((id) => id ?? [])

/** Names the facts of a decided request as the contract does. */
function toFacts(facts: NotificationDocument['facts']) {
  // Another program may have left them out.
  if (!facts || !('kind' in facts)) return facts
  const { kind, name, status, ...fields } = facts
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
  const toActor = (actor: NotificationDocument['actors'][number]) => authors.get(actor._id.toHexString()) ?? actor
  return rows.map((row) => {
    const { gameId, commentId, requestId, count } = row
    const game = gameId && games.get(gameId.toHexString())
    const named = { gameName: game?.name, gameSlug: game?.slug, excerpt: readExcerpt(row) }
    const payload = { ...toFacts(row.facts), ...named, gameId, commentId, requestId, count }
    return toContract(Notification, { ...row, actors: row.actors.map(toActor), payload })
  })
}
