import type { Server } from 'socket.io'
import type { CommentsServerEvents } from '../lib/contract/comments-namespace.ts'
import type { ConflictsServerEvents } from '../lib/contract/conflicts-namespace.ts'
import type { RoyalServerEvents } from '../lib/contract/royal-namespace.ts'
import type { Emitter, Except } from '../lib/emitter.ts'
import type { Logger } from '../lib/observability/log.ts'
import type { Metrics } from '../lib/observability/metrics.ts'
import { discussionRoom, userRoom } from './rooms.ts'

/** A socket id as Socket.IO makes them; a room name, which would mute a whole room, is none. */
const SOCKET_ID = /^[\w-]{20}$/

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

export function createEmitter({ log, metrics }: { log: Logger; metrics: Metrics }): SocketEmitter {
  let server: Server | undefined

  function send<N extends keyof EventMaps, E extends keyof EventMaps[N] & string>(
    namespace: N,
    room: string | null,
    event: E,
    payload: EventMaps[N][E] extends (event: infer P) => void ? P : never,
    { except }: Except = {},
  ): void {
    if (server === undefined) return
    try {
      const everybody = server.of(namespace)
      const target = room === null ? everybody : everybody.to(room)
      const receivers = except !== undefined && SOCKET_ID.test(except) ? target.except(except) : target
      receivers.emit(event, payload)
      metrics.eventsSent.inc({ event })
    } catch (error) {
      log.error({ err: error, event }, 'an event could not be sent')
    }
  }

  return {
    comments: {
      created: (event, options) => send('/comments', discussionRoom(event.gameId), 'comment:created', event, options),
      updated: (event, options) => send('/comments', discussionRoom(event.gameId), 'comment:updated', event, options),
      status: (event, options) => send('/comments', discussionRoom(event.gameId), 'comment:status', event, options),
      likes: (event, options) => send('/comments', discussionRoom(event.gameId), 'comment:likes', event, options),
    },
    royal: {
      changed: (userId, event, options) => send('/royal', userRoom(userId), 'royal:changed', event, options),
    },
    conflicts: {
      decided: (event) => send('/conflicts', null, 'conflict:decided', event),
      applied: (event) => send('/conflicts', null, 'conflicts:applied', event),
    },
    attach: (attached) => {
      server = attached
    },
    detach: () => {
      server = undefined
    },
  }
}
