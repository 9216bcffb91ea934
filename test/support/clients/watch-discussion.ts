import { openClient } from './clients.ts'

interface SeenEvent {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was announced and asserts on it.
  payload: any
}

export type Reader = Awaited<ReturnType<typeof watchDiscussion>>

export async function watchDiscussion(baseUrl: string, gameId: { toString(): string }) {
  const socket = openClient(baseUrl, '/comments', { reconnection: true })
  const events: SeenEvent[] = []
  socket.onAny((event, payload) => events.push({ event, payload }))

  const join = () => socket.emitWithAck('discussion:join', { gameId: gameId.toString() })
  await join()

  return {
    /** The id that goes into `x-socket-id`. */
    get socketId() {
      return socket.id ?? ''
    },
    /** Every event so far. An event that was sent before this call has arrived when it answers. */
    async seen() {
      // Events and acks share one ordered connection, so this answer comes after everything announced before it.
      await join()
      return [...events]
    },
    close: () => socket.disconnect(),
  }
}
