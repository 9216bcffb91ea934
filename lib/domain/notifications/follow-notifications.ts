import { ObjectId } from 'mongodb'
import type { Change } from '../../infrastructure/events/change.ts'
import type { Emitter } from '../../infrastructure/events/emitter.ts'
import { toEvents } from '../../infrastructure/events/to-events.ts'
import { countUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'
import { notificationsToWire } from './to-wire.ts'

type FollowDeps = NotificationsDeps & { emit: Pick<Emitter, 'notifications'> }

/** Reads the new and grown notifications of a user, and the number of unread ones, both as they are now. */
async function prepare(deps: FollowDeps, userId: string, changed: readonly ObjectId[]) {
  const found = deps.db.notifications.find({ _id: { $in: [...changed] } })
  const rows = changed.length === 0 ? [] : await found.sort({ updatedAt: 1, _id: 1 }).toArray()
  const [notifications, unread] = await Promise.all([
    notificationsToWire(deps, rows),
    countUnread(deps, new ObjectId(userId)),
  ])
  return { userId, notifications, unread }
}

/**
 * Sends notifications to this instance's sockets, whoever wrote them, this instance included. They are read after the change,
 * so the last event carries the final state.
 */
export async function followNotifications(deps: FollowDeps, changes: readonly Change[]): Promise<void> {
  const changedByUser = new Map<string, ObjectId[]>()
  for (const change of changes) {
    const { id, values } = change
    const userId = values.changeOf?.split(':', 1).join()
    if (userId === undefined || !(id instanceof ObjectId) || !deps.emit.notifications.hasSubscribers(userId)) continue
    const changed = changedByUser.get(userId) ?? []
    changedByUser.set(userId, toEvents(change).includes('notification:new') ? [...changed, id] : changed)
  }
  const prepared: Awaited<ReturnType<typeof prepare>>[] = []
  for (const [userId, changed] of changedByUser) prepared.push(await prepare(deps, userId, changed))
  for (const { userId, notifications, unread } of prepared) {
    for (const notification of notifications) deps.emit.notifications.created(userId, { notification })
    deps.emit.notifications.counted(userId, { unread })
  }
}
