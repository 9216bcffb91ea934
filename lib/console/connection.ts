import { computed, type Signal, signal } from '@preact/signals'
import type { ConnectionState, Store } from '../client/index.ts'
import { formatClock } from './format.ts'

const states = signal<readonly Signal<ConnectionState>[]>([])
const offlineSince = signal<number>()

function readOffline(): void {
  offlineSince.value = navigator.onLine ? undefined : Date.now()
}
readOffline()
addEventListener('offline', readOffline)
addEventListener('online', readOffline)

const connections = computed(() => states.value.map(({ value }) => value))
const lost = computed(() => connections.value.filter(({ status }) => status === 'lost'))

export const isLost = computed(() => offlineSince.value !== undefined || lost.value.length > 0)

const lastMessageAt = computed(() => {
  const times = lost.value.flatMap((connection) => connection.lastMessageAt ?? [])
  return times.length > 0 ? Math.min(...times) : offlineSince.value
})

export const connectionLine = computed(() => {
  if (isLost.value) {
    const at = lastMessageAt.value
    return at === undefined ? 'Connection lost' : `Connection lost, last heard ${formatClock(at)}`
  }
  return connections.value.some(({ status }) => status === 'live') ? 'Live' : 'Connecting …'
})

/** Calls the listener when all lost sockets are live again. Answers the function that stops this. */
export function onReconnect(listener: () => void): () => void {
  let wasLost = false
  return isLost.subscribe((isLostNow) => {
    if (wasLost && !isLostNow) listener()
    wasLost = isLostNow
  })
}

/** Includes a socket in the connection line. Answers the function that removes it. */
export function watchConnection(connection: Store<ConnectionState>): () => void {
  const state = signal(connection.get())
  const unsubscribe = connection.subscribe(() => {
    state.value = connection.get()
  })
  states.value = [...states.peek(), state]
  return () => {
    unsubscribe()
    states.value = states.peek().filter((other) => other !== state)
  }
}

/**
 * Reads at an interval while the page is visible, and when it becomes visible or connects again. Answers the function that
 * stops this.
 */
export function refreshEvery(everyMs: number, read: () => Promise<void>): () => void {
  let isRunning = false
  const run = () => {
    if (isRunning || document.visibilityState === 'hidden') return
    isRunning = true
    void read().finally(() => {
      isRunning = false
    })
  }
  const timer = setInterval(run, everyMs)
  const listening = new AbortController()
  addEventListener('focus', run, listening)
  document.addEventListener('visibilitychange', run, listening)
  const unsubscribe = onReconnect(run)

  return () => {
    clearInterval(timer)
    listening.abort()
    unsubscribe()
  }
}
