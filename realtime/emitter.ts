import { LRUCache } from 'lru-cache'
import type { Server } from 'socket.io'
import { createBoundedCache } from '../lib/base/values/bounded-cache.ts'
import type { CommentsServerEvents } from '../lib/contract/namespaces/comments.ts'
import type { ConflictsServerEvents } from '../lib/contract/namespaces/conflicts.ts'
import type { NotificationsServerEvents } from '../lib/contract/namespaces/notifications.ts'
import type { RoyalServerEvents } from '../lib/contract/namespaces/royal.ts'
import type { Emitter, EventVersion, SendOptions } from '../lib/infrastructure/events/emitter.ts'
import { isSocketId } from '../lib/infrastructure/events/sent-by.ts'
import type { Logger } from '../lib/infrastructure/observability/log.ts'
import type { Metrics } from '../lib/infrastructure/observability/metrics.ts'
import { disconnect } from './bounds.ts'
import { ADMINS_ROOM, discussionRoom, userRoom } from './define-namespace.ts'
import { connectionsOf } from './wire/internals.ts'

interface EventMaps {
  '/comments': CommentsServerEvents
  '/royal': RoyalServerEvents
  '/notifications': NotificationsServerEvents
  '/conflicts': ConflictsServerEvents
}

export interface SocketEmitter extends Emitter {
  attach(server: Server | undefined): void
}

const REMEMBERED = 50_000
const DISCONNECTED_MAX = 1_000
const HANDSHAKE_MS = 5_000
const USER_NAMESPACES = ['/royal', '/notifications', '/conflicts'] as const satisfies (keyof EventMaps)[]
/** Kinds of events that are sent once for each version of a document. */
const KINDS = ['created', 'updated', 'status', 'likes', 'royal', 'conflict'] as const
type Kind = (typeof KINDS)[number]

export function createEmitter({ log, metrics }: { log: Logger; metrics: Metrics }): SocketEmitter {
  let server: Server | undefined
  /** The `rev` of the last event, by kind and id. */
  const lastRevs = createBoundedCache<number>({ entries: REMEMBERED })
  /** The newest count of replies, by thread. */
  const counts = createBoundedCache<{ rev: number; repliesCount: number }>({ entries: REMEMBERED })

  /** The users of closed accounts, for as long as a handshake may last that began before the closing. */
  const disconnected = new LRUCache<string, true>({ max: DISCONNECTED_MAX, ttl: HANDSHAKE_MS })

  const hasReceivers = (namespace: keyof EventMaps, room: string | null, except?: string) => {
    if (server === undefined) return false
    const { adapter, sockets } = server.of(namespace)
    const members = room === null ? sockets : adapter.rooms.get(room)
    if (members === undefined || members.size === 0) return false
    return members.size > 1 || except === undefined || !members.has(except)
  }

  function send<N extends keyof EventMaps, E extends keyof EventMaps[N] & string>(
    namespace: N,
    room: string | null,
    event: E,
    payload: EventMaps[N][E] extends (event: infer P) => void ? P : never,
    { except, isRemote = false }: SendOptions = {},
  ): void {
    if (server === undefined) return
    try {
      const hasReceiver = hasReceivers(namespace, room, except)
      if (isRemote && !hasReceiver) return
      metrics.eventsSent.inc({ event, origin: isRemote ? 'other' : 'own' })
      if (!hasReceiver) return
      const everybody = server.of(namespace)
      const target = room === null ? everybody : everybody.to(room)
      const receivers = isSocketId(except) ? target.except(except) : target
      receivers.emit(event, payload)
    } catch (error) {
      log.error({ err: error, event }, 'an event could not be sent')
    }
  }

  const lastRev = (kind: Kind, id: string) => lastRevs.get(`${kind}:${id}`) ?? 0

  /**
   * False for an older state. Events of this instance are sent at once and those of other instances come through the change
   * stream, so two events may arrive in the wrong order.
   */
  function acceptVersion(kind: Kind, id: string, { rev, isUnnumbered = false }: SendOptions): boolean {
    if (rev === undefined) return true
    const last = lastRev(kind, id)
    if (rev < last || (rev === last && !isUnnumbered)) return false
    // An unnumbered state carries the number of an earlier write, whose event may still come.
    if (!isUnnumbered) lastRevs.set(`${kind}:${id}`, rev)
    return true
  }

  /** Gives an event the newest count of its thread: its own, or that of an event that was sent before it. */
  function withNewestCount<P extends { parentId: string | null; parentRepliesCount: number | null }>(
    payload: P,
    { threadRev: rev }: EventVersion,
  ): P {
    const { parentId, parentRepliesCount: repliesCount } = payload
    if (parentId === null || repliesCount === null || rev === undefined) return payload
    const newest = counts.get(parentId)
    if (newest !== undefined && newest.rev >= rev) return { ...payload, parentRepliesCount: newest.repliesCount }
    counts.set(parentId, { rev, repliesCount })
    return payload
  }

  return {
    comments: {
      created(event, options = {}) {
        const counted = withNewestCount(event, options)
        if (!acceptVersion('created', event.commentId, { rev: 1 })) return
        send('/comments', discussionRoom(event.gameId), 'comment:created', counted, options)
      },
      updated(event, options = {}) {
        const isOutdated = options.rev !== undefined && options.rev < lastRev('status', event.commentId)
        if (isOutdated || !acceptVersion('updated', event.commentId, options)) return
        send('/comments', discussionRoom(event.gameId), 'comment:updated', event, options)
      },
      markUpdateSeen(commentId, version) {
        acceptVersion('updated', commentId, version)
      },
      status(event, options = {}) {
        const counted = withNewestCount(event, options)
        if (!acceptVersion('status', event.commentId, options)) return
        send('/comments', discussionRoom(event.gameId), 'comment:status', counted, options)
      },
      likes(event, options = {}) {
        if (!acceptVersion('likes', event.commentId, options)) return
        send('/comments', discussionRoom(event.gameId), 'comment:likes', event, options)
      },
      hasSubscribers: (gameId) => hasReceivers('/comments', discussionRoom(gameId)),
    },
    royal: {
      changed(userId, event, options = {}) {
        if (acceptVersion('royal', userId, options)) send('/royal', userRoom(userId), 'royal:changed', event, options)
      },
      hasSubscribers: (userId) => hasReceivers('/royal', userRoom(userId)),
    },
    notifications: {
      created: (userId, types, event) => send('/notifications', userRoom(userId, types), 'notification:new', event),
      counted: (userId, types, event) => send('/notifications', userRoom(userId, types), 'notifications:count', event),
      hasSubscribers: (userId, types) => hasReceivers('/notifications', userRoom(userId, types)),
    },
    reports: {
      changed: (event, options) => send('/notifications', ADMINS_ROOM, 'reports:changed', event, options),
    },
    conflicts: {
      decided(event, options = {}) {
        const { documentId } = options
        if (documentId !== undefined && !acceptVersion('conflict', documentId, options)) return
        send('/conflicts', null, 'conflict:decided', event, options)
      },
      applied(source, entries, options = {}) {
        const unsent = entries.filter(({ documentId, rev }) =>
          acceptVersion('conflict', documentId, { ...options, rev }),
        )
        const externalIds = unsent.map(({ externalId }) => externalId)
        if (externalIds.length > 0) send('/conflicts', null, 'conflicts:applied', { source, externalIds }, options)
      },
    },
    forget(id) {
      for (const kind of KINDS) lastRevs.delete(`${kind}:${id}`)
      counts.delete(id)
    },
    disconnectUser(userId) {
      disconnected.set(userId, true)
      for (const name of USER_NAMESPACES) {
        for (const { data, conn } of server?.of(name).sockets.values() ?? []) {
          if (data.userId === userId) disconnect(conn, 'session-ended')
        }
      }
    },
    isDisconnected: (userId) => disconnected.has(userId),
    reconnectClients() {
      if (server === undefined) return
      // A client does not reconnect after the disconnect of its socket, only after a lost connection.
      for (const connection of Object.values(connectionsOf(server))) connection.close()
    },
    attach: (attached) => {
      server = attached
    },
  }
}
