import { randomBytes } from 'node:crypto'

export const createInstanceId = () => randomBytes(6).toString('base64url')

/** Marks the writes of an import, which no event announces. The ids of instances are longer. */
export const IMPORT_INSTANCE = 'import'

export interface Sender {
  instance: string
  /** The socket whose request wrote, which has the answer. */
  socketId: string | undefined
}

/** The form of a socket id of Socket.IO. A name of a room must not pass, because it would leave the whole room out. */
const SOCKET_ID = /^[\w-]{20}$/

export const isSocketId = (text: string | undefined): text is string => text !== undefined && SOCKET_ID.test(text)

/** Numbers the writes of this process. */
let count = 0

/** Makes the `sentBy` of a write: `<instance>:<socket id or nothing>:<n>`. The number makes it differ from the stored one, so the change contains it. */
export const createSentBy = ({ instance }: { instance: string }, socketId?: string): string =>
  `${instance}:${isSocketId(socketId) ? socketId : ''}:${(++count).toString(36)}`

export const sentByInstance = (instance: string) => new RegExp(`^${instance}:`)

export function parseSentBy(text: string): Sender | null {
  const [instance, socketId, n] = text.split(':')
  if (!instance || n === undefined) return null
  return { instance, socketId: isSocketId(socketId) ? socketId : undefined }
}
