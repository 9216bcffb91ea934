import type { z } from 'zod'
import { MESSAGES } from '../lib/contract/messages.ts'
import { type RoyalAck, royalNamespace } from '../lib/contract/namespaces/royal.ts'
import type { Deps } from '../lib/deps.ts'
import {
  addRoyalGames,
  loadRoyalGames,
  moveRoyalGame,
  type RoyalChange,
  type RoyalList,
  removeRoyalGames,
  setRoyalGames,
} from '../lib/domain/royal/royal-list.ts'
import { SOCKET_MAX_WAIT_MS } from '../lib/infrastructure/concurrency/timeouts.ts'
import { wasDisconnected } from './bounds.ts'
import { defineNamespace, type RequestCall } from './define-namespace.ts'
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
      const { royalGames, rejected } = await work(userId)
      return { ok: true, royalGames, rejected }
    },
    { maxWaitMs: SOCKET_MAX_WAIT_MS, isGone: () => wasDisconnected(socket.conn) },
  )
}

type Payload<E extends keyof typeof royalNamespace.requests> = z.output<(typeof royalNamespace.requests)[E]['payload']>

/** Handles a request by a change of the list, and tells the user's other sockets. */
const changing = <P extends object>(
  change: (deps: Deps, input: P & { userId: string; excludeSocketId: string }) => Promise<RoyalChange>,
) => ({
  failure: MESSAGES.royalUpdateFailed,
  handle: (call: RequestCall<P>): Promise<RoyalAck> =>
    withUserQueue(call, async (userId) => {
      const { socket, deps, payload } = call
      const changed = await change(deps, { ...payload, userId, excludeSocketId: socket.id })
      const { royalGames, isChanged, rev } = changed
      if (isChanged) deps.emit.royal.changed(userId, { royalGames }, { rev, except: socket.id })
      return changed
    }),
})

/** The royal list of a signed-in user, read and changed here and pushed to the user's other sockets. */
export const royal = defineNamespace(royalNamespace, {
  admits: 'user',
  requests: {
    'royal:sync': {
      failure: MESSAGES.royalLoadFailed,
      handle: (call) => withUserQueue(call, (userId) => loadRoyalGames(call.deps, { userId })),
    },
    'royal:add': changing<Payload<'royal:add'>>(addRoyalGames),
    'royal:remove': changing<Payload<'royal:remove'>>(removeRoyalGames),
    'royal:set': changing<Payload<'royal:set'>>(setRoyalGames),
    'royal:move': changing<Payload<'royal:move'>>(moveRoyalGame),
  },
})
