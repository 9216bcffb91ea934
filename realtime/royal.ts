import { SOCKET_MAX_WAIT_MS } from '../lib/concurrency/timeouts.ts'
import { MESSAGES } from '../lib/contract/messages.ts'
import { type RoyalAck, royalNamespace } from '../lib/contract/royal-namespace.ts'
import { DomainError } from '../lib/errors.ts'
import { addRoyalGames } from '../lib/royal/add-royal-games.ts'
import type { RoyalChange, RoyalList } from '../lib/royal/change-list.ts'
import { loadRoyalGames } from '../lib/royal/load-royal-games.ts'
import { moveRoyalGame } from '../lib/royal/move-royal-game.ts'
import { removeRoyalGames } from '../lib/royal/remove-royal-games.ts'
import { setRoyalGames } from '../lib/royal/set-royal-games.ts'
import { wasDisconnected } from './bounds.ts'
import { defineNamespace, type RequestCall } from './define-namespace.ts'
import { userRoom } from './rooms.ts'
import { readUserId } from './session.ts'

/**
 * Works off a request in the order of arrival among all sockets of its user. That is one at a time, fewer than a socket
 * may have at work; taking a turn later than at the arrival would let another socket of the user overtake.
 */
function withUserQueue(
  { socket, deps }: RequestCall<unknown>,
  work: (userId: string) => Promise<RoyalList>,
): Promise<RoyalAck> {
  const userId = readUserId(socket)

  return deps.queue.run(
    `royal:${userId}`,
    async () => {
      if (wasDisconnected(socket.conn)) throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
      const { royalGames, rejected } = await work(userId)
      return { ok: true, royalGames, rejected }
    },
    { maxWaitMs: SOCKET_MAX_WAIT_MS },
  )
}

interface RoyalCaller {
  userId: string
  excludeSocketId: string
}

function changeWithUserQueue(
  call: RequestCall<unknown>,
  change: (caller: RoyalCaller) => Promise<RoyalChange>,
): Promise<RoyalAck> {
  const { socket, deps } = call

  return withUserQueue(call, async (userId) => {
    const changed = await change({ userId, excludeSocketId: socket.id })
    const { royalGames, isChanged, rev } = changed
    if (isChanged) deps.emit.royal.changed(userId, { royalGames }, { rev, except: socket.id })
    return changed
  })
}

/** The royal list of a signed-in user, read and changed here and pushed to the user's other sockets. */
export const royal = defineNamespace(royalNamespace, {
  admits: 'user',
  onConnect: (socket) => {
    void socket.join(userRoom(readUserId(socket)))
  },
  requests: {
    'royal:sync': {
      failure: MESSAGES.royalLoadFailed,
      handle: (call) => withUserQueue(call, (userId) => loadRoyalGames(call.deps, { userId })),
    },
    'royal:add': {
      failure: MESSAGES.royalUpdateFailed,
      handle: (call) => changeWithUserQueue(call, (caller) => addRoyalGames(call.deps, { ...caller, ...call.payload })),
    },
    'royal:remove': {
      failure: MESSAGES.royalUpdateFailed,
      handle: (call) =>
        changeWithUserQueue(call, (caller) => removeRoyalGames(call.deps, { ...caller, ...call.payload })),
    },
    'royal:set': {
      failure: MESSAGES.royalUpdateFailed,
      handle: (call) => changeWithUserQueue(call, (caller) => setRoyalGames(call.deps, { ...caller, ...call.payload })),
    },
    'royal:move': {
      failure: MESSAGES.royalUpdateFailed,
      handle: (call) => changeWithUserQueue(call, (caller) => moveRoyalGame(call.deps, { ...caller, ...call.payload })),
    },
  },
})
