import { type Call, createCall, createSend } from './call.ts'
import type { CookieJar } from './cookie-jar.ts'
import { createSession, type Session, type SessionSurroundings } from './session.ts'
import { createSockets, type HallSocket, type NamespacePath } from './socket.ts'

export interface ClientOptions {
  /** The origin of the service. */
  baseUrl: string
  /** Another `fetch` than the global one. */
  fetch?: typeof globalThis.fetch
  /** Outside a browser: who keeps the session's cookies, see `createCookieJar`. */
  cookies?: CookieJar
  /** Other than those of the browser, for tests. */
  surroundings?: SessionSurroundings
}

/** The service, as a browser tab or a script sees it. */
export interface Hall {
  /** `hall.call('PUT /comments/:id/like', { params: { id } })`; see `settle` for refusals as values. */
  readonly call: Call
  readonly session: Session
  /** A socket in a namespace, typed by the contract's events. */
  socket<N extends NamespacePath>(path: N): HallSocket<N>
  /** Ends every connection and timer. */
  close(): void
}

/** What a browser has and Node has not, where a page may use it at all. */
function findSurroundings(): SessionSurroundings {
  // Node's types know neither; a browser may lack the first and refuse the second.
  const { navigator, localStorage } = globalThis as unknown as {
    navigator?: { locks?: SessionSurroundings['locks'] }
    localStorage?: SessionSurroundings['storage']
  }
  return { locks: navigator?.locks, storage: localStorage }
}

function surroundingsOrNone(): SessionSurroundings {
  try {
    return 'document' in globalThis ? findSurroundings() : {}
  } catch {
    return {}
  }
}

/** Makes the client of a service; nothing is sent before it is used. */
export function createClient({ baseUrl, fetch, cookies, surroundings = surroundingsOrNone() }: ClientOptions): Hall {
  const send = createSend({ fetch: fetch ?? ((...args) => globalThis.fetch(...args)), cookies })
  const { session, send: sendInSession, close } = createSession({ baseUrl, send, ...surroundings })
  const sockets = createSockets({ baseUrl, cookies, refresh: session.refresh })

  let userId = session.get().user?.userId
  session.subscribe(() => {
    const next = session.get().user?.userId
    if (next !== userId) sockets.reconnect()
    userId = next
  })

  return {
    call: createCall({ baseUrl, send: sendInSession }),
    session,
    socket: sockets.socket,
    close() {
      close()
      sockets.close()
    },
  }
}
