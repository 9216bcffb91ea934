import { computed, signal } from '@preact/signals'

/** What the line needs to know of a socket. */
interface WatchedSocket {
  connected: boolean
  on(event: 'connect' | 'disconnect', listener: () => void): unknown
  off(event: 'connect' | 'disconnect', listener: () => void): unknown
  io: { on(event: 'ping', listener: () => void): unknown; off(event: 'ping', listener: () => void): unknown }
  onAny(listener: () => void): unknown
  offAny(listener: () => void): unknown
}

const sockets = signal<ReadonlyMap<WatchedSocket, boolean>>(new Map())
const lastHeard = signal<Date | undefined>(undefined)
const isOffline = signal(!navigator.onLine)
addEventListener('offline', () => {
  isOffline.value = true
})
addEventListener('online', () => {
  isOffline.value = false
})

/** Whether everything that the page listens to is connected. */
export const isLive = computed(() => !isOffline.value && [...sockets.value.values()].every(Boolean))

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The sentence of the connection line. */
export const connectionLine = computed(() => {
  if (isLive.value) return 'Live'
  return lastHeard.value === undefined ? 'Connecting …' : `Connection lost, last heard ${CLOCK.format(lastHeard.value)}`
})

/** Counts a socket among what must be connected. Answers what ends that. */
export function watchConnection(socket: WatchedSocket): () => void {
  const set = (isConnected: boolean) => {
    sockets.value = new Map(sockets.value).set(socket, isConnected)
  }
  const hear = () => {
    lastHeard.value = new Date()
  }
  const onConnect = () => {
    hear()
    set(true)
  }
  const onDisconnect = () => set(false)

  set(socket.connected)
  if (socket.connected) hear()
  socket.on('connect', onConnect)
  socket.on('disconnect', onDisconnect)
  socket.io.on('ping', hear)
  socket.onAny(hear)
  return () => {
    socket.off('connect', onConnect)
    socket.off('disconnect', onDisconnect)
    socket.io.off('ping', hear)
    socket.offAny(hear)
    const rest = new Map(sockets.value)
    rest.delete(socket)
    sockets.value = rest
  }
}
