import type { z } from 'zod'

/** A Socket.IO namespace as data: its requests with their acks, and its events. */
export interface Namespace {
  readonly path: `/${string}`
  readonly summary: string
  /** The parameters that the query of the handshake may hold. */
  readonly query?: z.ZodType
  readonly requests: Readonly<Record<string, { summary: string; payload: z.ZodType; ack: z.ZodType }>>
  readonly events: Readonly<Record<string, { summary: string; payload: z.ZodType }>>
}

/** The client-to-server event map of a namespace, for `Socket` of socket.io-client. */
export type ClientEvents<N extends Namespace> = {
  [E in keyof N['requests']]: (
    payload: z.input<N['requests'][E]['payload']>,
    ack?: (answer: z.output<N['requests'][E]['ack']>) => void,
  ) => void
}

export type ServerEvents<N extends Namespace> = {
  [E in keyof N['events']]: (event: z.output<N['events'][E]['payload']>) => void
}
