import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket as TcpSocket } from 'node:net'
import type { Server, Socket } from 'socket.io'
import * as ws from 'ws'

/** Accesses every private part of Socket.IO, its engine and `ws`: all casts for their types are in this file. */
export type Connection = Socket['conn']

interface ConnectionState {
  isDisconnected?: true
  /** Answers to polls that the client has not read in full. */
  polls?: Set<ServerResponse> | undefined
}

const STATE = Symbol('state')

export function readState(connection: Connection): ConnectionState {
  const holder = connection as unknown as { [STATE]?: ConnectionState }
  holder[STATE] ??= {}
  return holder[STATE]
}

/** All connections of the engine by id. A second collection of them would cost memory. */
export const connectionsOf = ({ engine }: Pick<Server, 'engine'>) =>
  (engine as unknown as { clients: Readonly<Record<string, Connection>> }).clients

export const getEngine = (connection: Connection) => (connection as unknown as { server: EventEmitter }).server

/** Packets that wait in the engine until the transport can send. */
export const queuedPackets = (connection: Connection) =>
  (connection as unknown as { writeBuffer: readonly { data?: string | Buffer }[] }).writeBuffer

export const webSocketOf = ({ transport }: Connection) => (transport as unknown as { socket?: ws.WebSocket }).socket

/** The query of a request of the engine: `sid` is the connection id, undefined for a handshake. */
export const readQuery = (request: IncomingMessage) =>
  (request as unknown as { _query: { sid?: string; types?: unknown } })._query

interface EngineOptions {
  preEncoded: true
  volatile: boolean | undefined
  compress: boolean | undefined
}

/** Sends encoded packets through the queue of the engine. */
export function writeToEngine({ client }: Socket, packets: readonly unknown[], options: EngineOptions): void {
  const engine = client as unknown as { writeToEngine(packets: readonly unknown[], options: EngineOptions): void }
  engine.writeToEngine(packets, options)
}

/** The TCP connection of a WebSocket, which accepts a finished frame. */
export const tcpOf = (socket: ws.WebSocket) => (socket as unknown as { _socket: TcpSocket })._socket

interface Sender {
  frame(data: Buffer, options: Record<'fin' | 'mask' | 'readOnly' | 'rsv1', boolean> & { opcode: number }): Buffer[]
}

const TEXT_FRAME = { fin: true, opcode: 1, mask: false, readOnly: true, rsv1: false }

export function frameText(text: string): Buffer {
  const { Sender } = ws as unknown as { Sender: Sender }
  return Buffer.concat(Sender.frame(Buffer.from(text), TEXT_FRAME))
}
