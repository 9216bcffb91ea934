import type { Server } from 'socket.io'
import type { CommentStatus } from '../lib/contract/comments.ts'
import type { CommentStatusChanged, CommentsServerEvents } from '../lib/contract/comments-namespace.ts'
import type { ConflictsServerEvents } from '../lib/contract/conflicts-namespace.ts'
import type { RoyalServerEvents } from '../lib/contract/royal-namespace.ts'
import type { Emitter, EventVersion, SendOptions } from '../lib/emitter.ts'
import { isSocketId } from '../lib/events/sent-by.ts'
import type { Logger } from '../lib/observability/log.ts'
import type { Metrics } from '../lib/observability/metrics.ts'
import { createBoundedCache } from '../lib/values/bounded-cache.ts'
import { discussionRoom, userRoom } from './rooms.ts'

interface EventMaps {
  '/comments': CommentsServerEvents
  '/royal': RoyalServerEvents
  '/conflicts': ConflictsServerEvents
}

/** The emitter over the sockets of a server, which comes and goes. */
export interface SocketEmitter extends Emitter {
  attach(server: Server): void
  detach(): void
}

const REMEMBERED = 50_000
/** Kinds of events that carry the state of one document. */
const KINDS = ['created', 'updated', 'likes', 'royal', 'conflict'] as const
type Kind = (typeof KINDS)[number]

interface Count {
  rev: number
  repliesCount: number
}

interface Standing {
  rev: number
  status: CommentStatus
}

export function createEmitter({ log, metrics }: { log: Logger; metrics: Metrics }): SocketEmitter {
  let server: Server | undefined
  /** The `rev` of the last event, by kind and id. */
  const lastRevs = createBoundedCache<number>({ entries: REMEMBERED })
  /** The newest count of replies that an event carried, by thread. */
  const counts = createBoundedCache<Count>({ entries: REMEMBERED })
  /** The newest status that was announced, by comment. */
  const statuses = createBoundedCache<Standing>({ entries: REMEMBERED })

  /** Whether a socket is there to be told, besides the one that is left out. */
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
      const isHeard = hasReceivers(namespace, room, except)
      if (isRemote && !isHeard) return
      metrics.eventsSent.inc({ event, origin: isRemote ? 'other' : 'own' })
      if (!isHeard) return
      const everybody = server.of(namespace)
      const target = room === null ? everybody : everybody.to(room)
      const receivers = isSocketId(except) ? target.except(except) : target
      receivers.emit(event, payload)
    } catch (error) {
      log.error({ err: error, event }, 'an event could not be sent')
    }
  }

  /** Own events are sent at once and those of others come through the feed, so two may arrive in the wrong order. */
  function isNewer(key: `${Kind}:${string}`, { rev }: EventVersion): boolean {
    if (rev === undefined) return true
    if (rev <= (lastRevs.get(key) ?? 0)) return false
    lastRevs.set(key, rev)
    return true
  }

  function withNewestCount<P extends { parentId: string | null; parentRepliesCount: number | null }>(
    payload: P,
    { threadRev }: EventVersion,
  ): { counted: P; isNews: boolean } {
    const { parentId, parentRepliesCount } = payload
    if (parentId === null || parentRepliesCount === null || threadRev === undefined) {
      return { counted: payload, isNews: false }
    }
    const newest = counts.get(parentId)
    if (newest !== undefined && newest.rev >= threadRev) {
      return { counted: { ...payload, parentRepliesCount: newest.repliesCount }, isNews: false }
    }
    counts.set(parentId, { rev: threadRev, repliesCount: parentRepliesCount })
    return { counted: payload, isNews: true }
  }

  /** Two writes of a reply may reach the count of its thread in the other order: then the older one has the newer count. */
  function withNewestStatus(payload: CommentStatusChanged, version: EventVersion): CommentStatusChanged | null {
    const { counted, isNews } = withNewestCount(payload, version)
    if (version.rev === undefined) return counted
    const newest = statuses.get(counted.commentId)
    if (newest !== undefined && newest.rev >= version.rev) return isNews ? { ...counted, status: newest.status } : null
    statuses.set(counted.commentId, { rev: version.rev, status: counted.status })
    return counted
  }

  return {
    comments: {
      created(event, options = {}) {
        const { counted } = withNewestCount(event, options)
        // A reply that was counted for a process that could not may be announced by two instances.
        const isFirst = options.threadRev === undefined || isNewer(`created:${event.commentId}`, { rev: 1 })
        if (!isFirst) return
        send('/comments', discussionRoom(event.gameId), 'comment:created', counted, options)
      },
      updated(event, options = {}) {
        if (!isNewer(`updated:${event.commentId}`, options)) return
        send('/comments', discussionRoom(event.gameId), 'comment:updated', event, options)
      },
      passOverUpdate(commentId, version) {
        isNewer(`updated:${commentId}`, version)
      },
      status(event, options = {}) {
        const payload = withNewestStatus(event, options)
        if (payload !== null) send('/comments', discussionRoom(event.gameId), 'comment:status', payload, options)
      },
      likes(event, options = {}) {
        if (!isNewer(`likes:${event.commentId}`, options)) return
        send('/comments', discussionRoom(event.gameId), 'comment:likes', event, options)
      },
      isFollowed: (gameId) => hasReceivers('/comments', discussionRoom(gameId)),
    },
    royal: {
      changed(userId, event, options = {}) {
        if (isNewer(`royal:${userId}`, options)) send('/royal', userRoom(userId), 'royal:changed', event, options)
      },
      isFollowed: (userId) => hasReceivers('/royal', userRoom(userId)),
    },
    conflicts: {
      decided(event, options = {}) {
        const { documentId } = options
        if (documentId !== undefined && !isNewer(`conflict:${documentId}`, options)) return
        send('/conflicts', null, 'conflict:decided', event, options)
      },
      applied: (event, options) => send('/conflicts', null, 'conflicts:applied', event, options),
    },
    forget(id) {
      for (const kind of KINDS) lastRevs.delete(`${kind}:${id}`)
      counts.delete(id)
      statuses.delete(id)
    },
    reconnectClients() {
      if (server === undefined) return
      // Protected in the engine's types. A socket's own disconnect would tell its client not to come back.
      const { clients } = server.engine as unknown as { clients: Record<string, { close(): void }> }
      for (const connection of Object.values(clients)) connection.close()
    },
    attach: (attached) => {
      server = attached
    },
    detach: () => {
      server = undefined
    },
  }
}
