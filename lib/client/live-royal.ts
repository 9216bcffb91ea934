import type { RoyalAck } from '../contract/namespaces/royal.ts'
import { createLive, type LiveParts } from './create-live.ts'
import { type RoyalOperation, withPending } from './merge-royal.ts'
import { onUserChange } from './session.ts'
import type { HallSocket } from './socket.ts'

export interface RoyalState {
  /** `closed`: nobody is signed in. */
  status: 'loading' | 'ready' | 'closed'
  /** True while changes arrive and can be sent. */
  isLive: boolean
  /** The list with the local changes, answered or not. */
  games: readonly string[]
  isSaving: boolean
}

/** The signed-in user's royal games, in step with all tabs. A change shows at once; its answer lists what was rejected. */
export type LiveRoyal = ReturnType<typeof followRoyal>

interface RoyalParts extends Omit<LiveParts<'/royal'>, 'call' | 'socket'> {
  socket: Pick<HallSocket<'/royal'>, 'send' | 'on' | 'connection' | 'close'>
}

interface Pending {
  operation: RoyalOperation
  isSent: boolean
  answer(ack: RoyalAck): void
  cancelWait(): void
}

/** Timeout of a change that waits for a connection, equal to the timeout of an answer. */
const WAIT_MS = 10_000
const RESYNC_MS = 2_000
const NOT_SAVED: RoyalAck = { ok: false, error: 'The change was not saved: the connection was lost' }

/** Follows the royal list: the newest list of the service with the unanswered local changes. */
export function followRoyal({ socket, session, later }: RoyalParts) {
  let stored: readonly string[] = []
  let status: RoyalState['status'] = 'loading'
  let isSynced = false
  let pending: readonly Pending[] = []
  let cancelResync = () => {}
  const live = createLive({ socket, later, toState })

  function toState(): RoyalState {
    const operations = pending.map(({ operation }) => operation)
    return { status, isLive: isSynced, games: withPending(stored, operations), isSaving: pending.length > 0 }
  }

  function settle(settled: Pending, ack: RoyalAck) {
    pending = pending.filter((entry) => entry !== settled)
    settled.cancelWait()
    settled.answer(ack)
  }

  function send(entry: Pending) {
    const { event, payload } = entry.operation
    entry.isSent = true
    const onAnswer = (ack: RoyalAck | null) => {
      if (ack?.ok) stored = ack.royalGames
      settle(entry, ack ?? NOT_SAVED)
      live.show()
      // Only the service knows whether a failed change was made.
      if (!ack?.ok) sync()
    }
    // The operation's payload is that of its event; the union hides it from the compiler.
    socket.send(event as 'royal:move', payload as Extract<RoyalOperation, { event: 'royal:move' }>['payload'], onAnswer)
  }

  function sync() {
    cancelResync()
    if (live.isClosed() || socket.connection.get().status !== 'live') return
    socket.send('royal:sync', {}, (ack) => {
      if (ack?.ok) {
        stored = ack.royalGames
        status = 'ready'
        isSynced = true
      } else {
        cancelResync = live.later(sync, RESYNC_MS)
      }
      live.show()
    })
  }

  function onConnection() {
    const { status: connection } = socket.connection.get()
    if (connection === 'live') {
      sync()
      for (const entry of pending) if (!entry.isSent) send(entry)
      return
    }
    isSynced = false
    if (connection === 'closed') empty('closed')
    live.show()
  }

  function empty(next: RoyalState['status']) {
    status = next
    stored = []
    for (const entry of pending) settle(entry, NOT_SAVED)
  }

  function change(operation: RoyalOperation): Promise<RoyalAck> {
    return new Promise((resolve) => {
      const entry: Pending = {
        operation,
        isSent: false,
        answer: resolve,
        cancelWait: live.later(() => {
          if (entry.isSent) return
          settle(entry, NOT_SAVED)
          live.show()
        }, WAIT_MS),
      }
      pending = [...pending, entry]
      if (socket.connection.get().status === 'live') send(entry)
      live.show()
    })
  }

  live.onClose(
    onUserChange(session, (_userId, before) => {
      if (before === undefined) return
      isSynced = false
      empty('loading')
      live.show()
    }),
    socket.on('royal:changed', ({ royalGames }) => {
      stored = royalGames
      live.show()
    }),
    socket.connection.subscribe(onConnection),
    () => cancelResync(),
    () => empty(status),
  )
  onConnection()

  return {
    ...live.store,
    add: (gameIds: readonly string[], position: 'start' | 'end' = 'end') =>
      change({ event: 'royal:add', payload: { gameIds: [...gameIds], position } }),
    remove: (gameIds: readonly string[]) => change({ event: 'royal:remove', payload: { gameIds: [...gameIds] } }),
    replace: (gameIds: readonly string[]) => change({ event: 'royal:set', payload: { gameIds: [...gameIds] } }),
    /** Puts a listed game before another; null: at the end. */
    move: (gameId: string, before: string | null) => change({ event: 'royal:move', payload: { gameId, before } }),
  }
}
