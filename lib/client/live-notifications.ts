import { TAKE_MAX } from '../contract/limits.ts'
import type { Notification, NotificationList, UnreadCount } from '../contract/notifications.ts'
import { createLive, type LiveFacts, type LiveParts, type LiveStatus } from './create-live.ts'
import { onUserChange } from './session.ts'

/** `closed`: nobody is signed in. */
export interface NotificationsState extends LiveFacts<LiveStatus | 'closed'> {
  isLive: boolean
  rows: readonly Notification[]
  unreadCount: number
  hasMore: boolean
}

export type LiveNotifications = ReturnType<typeof followNotifications>

/** The query of a client that shows every type. */
const ALL = { types: 'all' } as const
const NONE = { rows: [] as readonly Notification[], unreadCount: 0, hasMore: false }

/** Follows notifications: an event is shown at once, then the list is read again. */
export function followNotifications(
  { call, socket, session, later }: LiveParts<'/notifications'>,
  { take = 20 }: { take?: number } = {},
) {
  let listed = NONE
  let isGuest = false
  let wanted = take
  const live = createLive({ socket, later, toState, read: (_, signal) => read(signal) })
  const reads = live.reads('list')

  function toState({ status, error }: LiveFacts): NotificationsState {
    const isLive = socket.connection.get().status === 'live'
    return { ...listed, status: isGuest ? 'closed' : status, isLive, error }
  }

  async function read(signal: AbortSignal): Promise<void> {
    const size = wanted
    const { user: reader } = session.get()
    const rows: Notification[] = []
    let page: NotificationList
    do {
      const before = rows.at(-1)?.updatedAt
      const query = { ...ALL, take: Math.min(TAKE_MAX, size - rows.length), ...(before && { before }) }
      page = await call('GET /notifications', { query, signal })
      rows.push(...page.items)
    } while (page.nextCursor !== null && rows.length < size)
    // A sign-out begins no new read that would abort this one.
    if (signal.aborted || session.get().user?.userId !== reader?.userId) return
    listed = { rows, unreadCount: page.unreadCount, hasMore: page.nextCursor !== null }
    isGuest = false
    live.show('ready')
  }

  function onConnection() {
    const { status: connection } = socket.connection.get()
    if (connection === 'closed') {
      isGuest = true
      listed = NONE
    }
    live.show()
    if (connection === 'live') reads.restart()
  }

  /** Reads the list after a change, because the answer has only the count. */
  function changed<P extends Promise<UnreadCount>>(answered: P): P {
    const readAgain = () => reads.request()
    answered.then(readAgain, readAgain)
    return answered
  }
  const markRead = (body: { ids: string[] } | { until: string }) =>
    changed(call('PATCH /notifications/read', { query: ALL, body }))

  live.onClose(
    socket.on('notification:new', ({ notification, unreadCount }) => {
      const others = listed.rows.filter(({ _id }) => _id !== notification._id)
      listed = { ...listed, rows: [notification, ...others], unreadCount }
      live.show()
      reads.request()
    }),
    socket.on('notifications:count', ({ unreadCount }) => {
      listed = { ...listed, unreadCount }
      live.show()
      reads.request()
    }),
    socket.connection.subscribe(onConnection),
    onUserChange(session, (userId) => {
      listed = NONE
      isGuest = userId === undefined
      live.show('loading')
      if (userId !== undefined) reads.restart()
    }),
  )
  onConnection()

  return {
    ...live.store,
    more() {
      wanted = listed.rows.length + take
      reads.request()
    },
    markRead: (ids: string[]) => markRead({ ids }),
    markAllRead: () => markRead({ until: listed.rows[0]?.updatedAt ?? new Date(0).toISOString() }),
    remove: (id: string) => changed(call('DELETE /notifications/:id', { params: { id }, query: ALL })),
    refresh: () => reads.request(),
  }
}
