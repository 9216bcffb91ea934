import { randomBytes } from 'node:crypto'

export const createInstanceId = () => randomBytes(6).toString('base64url')

/** Marks the writes of an import, which no event announces. The ids of instances are longer. */
export const IMPORT_INSTANCE = 'import'

export interface Sender {
  instance: string
  /** The socket whose request it was: it has the answer. */
  socketId: string | undefined
}

/** A socket id as Socket.IO makes them; a room name, which would mute a whole room, is none. */
const SOCKET_ID = /^[\w-]{20}$/

export const isSocketId = (text: string | undefined): text is string => text !== undefined && SOCKET_ID.test(text)

/** Writes of this process; with the name of the instance, a number is used once. */
let count = 0

/** `<instance>:<socket id or nothing>:<n>`, the `sentBy` of each write. The number puts it into that write's difference. */
export const createSentBy = ({ instance }: { instance: string }, socketId?: string): string =>
  `${instance}:${isSocketId(socketId) ? socketId : ''}:${(++count).toString(36)}`

export const sentByInstance = (instance: string) => new RegExp(`^${instance}:`)

export function parseSentBy(text: string): Sender | null {
  const [instance, socketId, n] = text.split(':')
  if (!instance || n === undefined) return null
  return { instance, socketId: isSocketId(socketId) ? socketId : undefined }
}
