import type { RoyalChanged } from '../../contract/namespaces/royal.ts'
import { SOCKET_MAX_WAIT_MS } from '../../infrastructure/concurrency/timeouts.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import type { Actor } from '../auth/actor.ts'
import type { RoyalDeps } from './deps.ts'

/** The owner of a royal list. The role plays no part, because a socket keeps its session for as long as it is connected. */
export type ListOwner = Omit<Actor, 'user'> & { user: Pick<Actor['user'], '_id'> }

/** A royal list after a request, and the requested ids that are not in it; all ids in lower case. */
export interface RoyalList {
  royalGames: string[]
  rejected: string[]
}

/**
 * Runs a request after all earlier ones of the owner's sockets, and sends its event to the other sockets. Each takes its
 * place at its arrival, because a later place would let another socket overtake.
 */
export function inRoyalTurn(
  deps: Pick<RoyalDeps, 'queue' | 'emit'>,
  { user, socketId, isGone }: ListOwner,
  change: () => Promise<Changed<RoyalList, RoyalChanged>>,
): Promise<RoyalList> {
  const userId = user._id.toHexString()
  const turn = async () => {
    const { result, event } = await change()
    if (event) deps.emit.royal.changed(userId, event.payload, { ...event.version, except: socketId })
    return result
  }
  return deps.queue.run(`royal:${userId}`, turn, { maxWaitMs: SOCKET_MAX_WAIT_MS, isGone })
}
