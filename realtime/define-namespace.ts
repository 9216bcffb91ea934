import type { DefaultEventsMap, Socket } from 'socket.io'
import type { z } from 'zod'
import type { Namespace } from '../lib/contract/namespaces/namespace.ts'
import type { Deps } from '../lib/deps.ts'

export interface UserSockets {
  /** The oldest first. */
  sockets: Set<ServedSocket>
  requestBytes: number
  /** Forgets the user once no socket is left and nothing waits. */
  release(): void
}

export interface SocketData {
  /** Whose socket it is, where the namespace admits users only. */
  userId?: string
  /** What is bounded for all sockets of that user together. */
  user?: UserSockets
  requests?: number
}

export type ServedSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>

export interface RequestCall<P> {
  payload: P
  socket: ServedSocket
  deps: Deps
}

export interface RequestHandling<P = unknown, A = unknown> {
  /** The refusal of a payload that does not fit; without it, the message of its schema. */
  refusal?: string
  /** The error in the ack when the work fails for no fault of the client. */
  failure: string
  handle(call: RequestCall<P>): A | Promise<A>
}

/**
 * The callers that may connect. Session and role are read at the connect and never again. Sockets of `user` join the room of
 * their user; `anyone` and `admin` hear of what concerns all.
 */
export type Admission = 'anyone' | 'user' | 'admin'

export interface ServedNamespace {
  facts: Namespace
  admits: Admission
  requests: Readonly<Record<string, RequestHandling>>
}

type Handlings<N extends Namespace> = {
  [E in keyof N['requests']]: RequestHandling<z.output<N['requests'][E]['payload']>, z.input<N['requests'][E]['ack']>>
}

/** Defines how a namespace of the contract is served: one handling for each of its requests. */
export const defineNamespace = <N extends Namespace>(
  facts: N,
  parts: Omit<ServedNamespace, 'facts' | 'requests'> & { requests: Handlings<N> },
): ServedNamespace => ({ facts, ...parts })
