import { ObjectId } from 'mongodb'
import type { NotificationTypes } from '../../contract/notifications.ts'
import type { Change } from '../../infrastructure/events/change.ts'
import type { Emitter } from '../../infrastructure/events/emitter.ts'
import { toEvents } from '../../infrastructure/events/to-events.ts'
import { countUnread, ofTypes } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'
import { notificationsToWire } from './to-wire.ts'

type FollowDeps = NotificationsDeps & { emit: Pick<Emitter, 'notifications'> }

interface UserChanges {
  /** New and grown notifications. */
  changed: ObjectId[]
  /** True when notifications were read or removed, so that the number changed. */
  isCounted: boolean
}

/** Reads the present state of a user's new and grown notifications, and the number of unread ones. */
async function load(deps: FollowDeps, userId: string, types: NotificationTypes, { changed, isCounted }: UserChanges) {
  const found = deps.db.notifications.find({ _id: { $in: changed }, ...ofTypes(types) })
  const rows = changed.length === 0 ? [] : await found.sort({ updatedAt: 1 }).toArray()
  const [notifications, unreadCount] = await Promise.all([
    notificationsToWire(deps, rows),
    countUnread(deps, new ObjectId(userId), types),
  ])
  return { userId, types, notifications, unreadCount, isSent: isCounted || rows.length > 0 }
}

/** Sends changed notifications of every instance to this instance's sockets, in their present state. */
export async function followNotifications(deps: FollowDeps, changes: readonly Change[]): Promise<void> {
  const changesByUser = new Map<string, UserChanges>()
  for (const change of changes) {
    const { id, values } = change
    const userId = values.changeOf?.split(':', 1).join()
    if (userId === undefined || !(id instanceof ObjectId)) continue
    const { changed, isCounted } = changesByUser.get(userId) ?? { changed: [], isCounted: false }
    const isNew = toEvents(change).includes('notification:new')
    changesByUser.set(userId, { changed: isNew ? [...changed, id] : changed, isCounted: isCounted || !isNew })
  }
  const loaded: Awaited<ReturnType<typeof load>>[] = []
  for (const [userId, changes] of changesByUser) {
    for (const types of [undefined, 'all'] as const) {
      if (!deps.emit.notifications.hasSubscribers(userId, types)) continue
      loaded.push(await load(deps, userId, types, changes))
    }
  }
  for (const { userId, types, notifications, unreadCount, isSent } of loaded) {
    for (const notification of notifications) {
      deps.emit.notifications.created(userId, types, { notification, unreadCount })
    }
    if (isSent) deps.emit.notifications.counted(userId, types, { unreadCount })
  }
}
