import type { ParsedUrlQuery } from 'node:querystring'
import type { DefaultEventsMap, Socket } from 'socket.io'
import type { z } from 'zod'
import type { Namespace } from '../lib/contract/namespaces/namespace.ts'
import type { NotificationTypes } from '../lib/contract/notifications.ts'
import type { Deps } from '../lib/deps.ts'

export interface UserSockets {
  sockets: Set<ServedSocket>
  requestBytes: number
  /** Removes the user once no socket and no request is left. */
  release(): void
}

export interface SocketData {
  /** The user of the socket, set when the namespace admits users only. */
  userId?: string
  /** The role at the connect. */
  isAdmin?: boolean
  /** The bounds that all sockets of the user share. */
  user?: UserSockets
  /** The number of unanswered requests. */
  requests?: number
}

export type ServedSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>

export interface RequestCall<P> {
  payload: P
  socket: ServedSocket
  deps: Deps
}

export interface RequestHandling<P = unknown, A = unknown> {
  /** The refusal of an invalid payload; defaults to the message of its schema. */
  refusal?: string
  /** The error in the ack when the request fails through no fault of the client. */
  failure: string
  handle(call: RequestCall<P>): A | Promise<A>
}

/** The callers that may connect. Sockets of `user` join the room of their user, the others get events for everybody. */
export type Admission = 'anyone' | 'user' | 'admin'

export interface ServedNamespace {
  facts: Namespace
  admits: Admission
  requests: Readonly<Record<string, RequestHandling>>
  /** The rooms that a socket joins; the room of its user by default. */
  roomsOf?(user: { userId: string; isAdmin: boolean }, query: ParsedUrlQuery): string[]
}

type Handlings<N extends Namespace> = {
  [E in keyof N['requests']]: RequestHandling<z.output<N['requests'][E]['payload']>, z.input<N['requests'][E]['ack']>>
}

/** Defines how this service serves a namespace of the contract, with a handler for every request. */
export const defineNamespace = <N extends Namespace>(
  facts: N,
  parts: Omit<ServedNamespace, 'facts' | 'requests'> & { requests: Handlings<N> },
): ServedNamespace => ({ facts, ...parts })

export const discussionRoom = (gameId: string) => `discussion:${gameId}`

export const ADMINS_ROOM = 'admins'

/** Names the room of a user's sockets, or of those of them that get all types of notifications. */
export const userRoom = (userId: string, types?: NotificationTypes) =>
  types === undefined ? `user:${userId}` : `user:${userId}:${types}`
