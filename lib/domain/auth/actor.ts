import type { SessionUser } from './session-user.ts'

/** A signed-in user who changes something, as HTTP requests and sockets hand it to verbs. */
export interface Actor {
  user: SessionUser
  /** The actor's own socket, which gets no event of the change: it has the answer. */
  socketId?: string | undefined
  /** True once nobody waits for the answer. A change that is still queued is not made then. */
  isGone?: (() => boolean) | undefined
}
