import type { Source } from '../contract/sources.ts'
import { type Call, createCall, createSend, type Send } from './call.ts'
import type { CookieJar } from './cookie-jar.ts'
import type { Peer } from './discussion-commands.ts'
import { type ConflictsOptions, followConflicts, type LiveConflicts } from './live-conflicts.ts'
import { type DiscussionOptions, followDiscussion, type LiveDiscussion } from './live-discussion.ts'
import { followNotifications, type LiveNotifications } from './live-notifications.ts'
import { followRoyal, type LiveRoyal } from './live-royal.ts'
import { createSession, onUserChange, type Session, type SessionSurroundings } from './session.ts'
import { createSockets, type HallSocket, type NamespacePath } from './socket.ts'
import type { BrowserStorage } from './storage.ts'

export interface ClientOptions {
  baseUrl: string
  fetch?: typeof globalThis.fetch
  cookies?: CookieJar
  /** A service key (`npm run key`), for programs: `call` sends it instead of a session. */
  key?: string
  /** The path of the sockets, where it is not `/socket.io/`. */
  socketPath?: string
  /** Renews a session of the site (`ACCOUNTS=site`) on a 401. True when there is one again: the request is repeated. */
  refresh?: () => Promise<boolean>
  /** Replaces those of the browser in tests. */
  surroundings?: SessionSurroundings
}

export interface Hall {
  /** `hall.call('PUT /comments/:id/like', { params: { id } })`; see `settle` for refusals as values. */
  readonly call: Call
  readonly session: Session
  socket<N extends NamespacePath>(path: N): HallSocket<N>
  /** The discussion of a game, live; `gameId` as the service answers it. */
  discussion(gameId: string, options?: DiscussionOptions): LiveDiscussion
  royal(): LiveRoyal
  notifications(options?: { take?: number }): LiveNotifications
  conflicts(source?: Source, options?: ConflictsOptions): LiveConflicts
  close(): void
}

/** Locks and storage of a browser, which may refuse each use of the storage; Node has neither. */
function findSurroundings(): SessionSurroundings {
  if (!('document' in globalThis)) return {}
  // Node's types know neither; a browser may lack the first.
  const browser = globalThis as unknown as {
    navigator?: { locks?: SessionSurroundings['locks'] }
    localStorage?: BrowserStorage
  }
  return {
    locks: browser.navigator?.locks,
    get storage() {
      return browser.localStorage
    },
  }
}

const withKey =
  (send: Send, key: string): Send =>
  (request) =>
    send({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } })

/** Creates the client of a service; sends nothing before it is used. */
export function createClient(options: ClientOptions): Hall {
  const { baseUrl, fetch, cookies, key, socketPath = '/socket.io/', surroundings = findSurroundings() } = options
  const send = createSend(fetch ?? ((...args) => globalThis.fetch(...args)), cookies)
  const signedIn = createSession({ baseUrl, send, surroundings, renew: options.refresh })
  const { session, viewerId } = signedIn
  const sockets = createSockets({ baseUrl, socketPath, cookies, refresh: refreshAndRead, viewerId })

  /** Also reads the signed-in user, because a socket is refused when the page shows another user. */
  async function refreshAndRead(): Promise<boolean> {
    return (await session.refresh()) && (await session.load()) !== null
  }

  onUserChange(session, sockets.reconnect)

  const call =
    key === undefined
      ? createCall({ baseUrl, send: signedIn.send, viewerId })
      : createCall({ baseUrl, send: withKey(send, key), viewerId: () => undefined })
  const peers = new Map<string, Set<Peer>>()

  function discussion(game: string, options?: DiscussionOptions): LiveDiscussion {
    const gameId = game.toLowerCase()
    const others = peers.get(gameId) ?? new Set()
    peers.set(gameId, others)
    return followDiscussion({ call, session, socket: sockets.socket('/comments'), peers: others }, gameId, options)
  }

  let sharedRoyal: { live: LiveRoyal; users: number } | undefined

  // All callers share one store, because the service does not send a socket its own changes.
  function royal(): LiveRoyal {
    sharedRoyal ??= { live: followRoyal({ socket: sockets.socket('/royal'), session }), users: 0 }
    const shared = sharedRoyal
    let isClosed = false
    shared.users += 1
    return {
      ...shared.live,
      close() {
        if (isClosed) return
        isClosed = true
        shared.users -= 1
        if (shared.users > 0) return
        sharedRoyal = undefined
        shared.live.close()
      },
    }
  }

  return {
    call,
    session,
    socket: sockets.socket,
    discussion,
    royal,
    notifications: (options) =>
      followNotifications({ call, session, socket: sockets.socket('/notifications') }, options),
    conflicts: (source, options) =>
      followConflicts({ call, session, socket: sockets.socket('/conflicts') }, source, options),
    close() {
      signedIn.close()
      sockets.close()
    },
  }
}
