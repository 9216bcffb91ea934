import { ObjectId } from 'mongodb'
import type { Change } from '../../infrastructure/events/change.ts'
import type { Emitter } from '../../infrastructure/events/emitter.ts'
import { toEvents } from '../../infrastructure/events/to-events.ts'
import { countUnread } from './count-unread.ts'
import type { NotificationsDeps } from './deps.ts'
import { notificationsToWire } from './to-wire.ts'

type FollowDeps = NotificationsDeps & { emit: Pick<Emitter, 'notifications'> }

/** Reads the notifications of a user that came or grew, and how many are unread, both as they are now. */
async function prepare(deps: FollowDeps, userId: string, news: readonly ObjectId[]) {
  const found = deps.db.notifications.find({ _id: { $in: [...news] } })
  const rows = news.length === 0 ? [] : await found.sort({ updatedAt: 1, _id: 1 }).toArray()
  const [notifications, unread] = await Promise.all([
    notificationsToWire(deps, rows),
    countUnread(deps, new ObjectId(userId)),
  ])
  return { userId, notifications, unread }
}

/**
 * Tells this instance's sockets of notifications, whoever wrote them, this instance included. What changed is read after the
 * change, so the last event carries the final state.
 */
export async function followNotifications(deps: FollowDeps, changes: readonly Change[]): Promise<void> {
  const newsByUser = new Map<string, ObjectId[]>()
  for (const change of changes) {
    const { id, values } = change
    const userId = values.changeOf?.split(':', 1).join()
    if (userId === undefined || !(id instanceof ObjectId) || !deps.emit.notifications.hasSubscribers(userId)) continue
    const news = newsByUser.get(userId) ?? []
    newsByUser.set(userId, toEvents(change).includes('notification:new') ? [...news, id] : news)
  }
  const prepared: Awaited<ReturnType<typeof prepare>>[] = []
  for (const [userId, news] of newsByUser) prepared.push(await prepare(deps, userId, news))
  for (const { userId, notifications, unread } of prepared) {
    for (const notification of notifications) deps.emit.notifications.created(userId, { notification })
    deps.emit.notifications.counted(userId, { unread })
  }
}
