import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES, ROYAL_GAMES_LIMIT, type RoyalChanged } from '../../contract/index.ts'
import { SOCKET_MAX_WAIT_MS } from '../../infrastructure/concurrency/timeouts.ts'
import { suspensionAt, type UserDocument, unsuspendedAt } from '../../infrastructure/db/collections/users.ts'
import { id, readableArray } from '../../infrastructure/db/readable-documents.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { refuseSuspension } from '../auth/session-user.ts'
import { findUnknownGames } from '../catalogue/existing-games.ts'
import type { RoyalDeps } from './deps.ts'

/** The owner of a royal list. It has no role, because the session of a socket is read only at the connect. */
export type ListOwner = Omit<Actor, 'user'> & { user: Pick<Actor['user'], '_id'> }

/** A royal list after a request, and the requested ids that are not in it; all ids in lower case. */
export interface RoyalList {
  royalGames: string[]
  rejected: string[]
}

/**
 * Runs a request after all earlier ones of the owner's sockets, and sends its event to the other sockets. A request joins the
 * queue before any other work, so that no later request overtakes it.
 */
function inRoyalTurn(
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

/** Computes the list after a change. */
type Next = (listed: readonly string[]) => readonly string[]

export const withAdded =
  (ids: readonly string[], position: 'start' | 'end'): Next =>
  (listed) => {
    const room = Math.max(0, ROYAL_GAMES_LIMIT - listed.length)
    const fresh = ids.filter((id) => !listed.includes(id)).slice(0, room)
    return position === 'start' ? [...fresh, ...listed] : [...listed, ...fresh]
  }

/** Moves a listed id in front of `before`, or to the end when that is null or not listed. */
const withMoved =
  (moved: string, before: string | null): Next =>
  (listed) => {
    if (moved === before || !listed.includes(moved)) return listed
    const rest = listed.filter((id) => id !== moved)
    const at = before === null ? -1 : rest.indexOf(before)
    return rest.toSpliced(at < 0 ? rest.length : at, 0, moved)
  }

type StoredList = Pick<UserDocument, '_id' | 'roles' | 'site' | 'suspension'> & {
  /** The list as it is stored, by another program perhaps in another form. */
  stored?: unknown
}

/** Reads the list of a user. Every request begins with it. @throws DomainError NOT_FOUND when the user is gone */
async function findList({ db }: Pick<RoyalDeps, 'db'>, _id: ObjectId) {
  const projection = { stored: '$royalGames', roles: 1, site: 1, suspension: 1 }
  const user = await db.users.findOne<StoredList>({ _id }, { projection })
  if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  const listed = readableArray(id).catch([]).parse(user.stored)
  return { ...user, listed: listed.map((gameId) => gameId.toHexString()) }
}

/** An attempt fails only when another instance changed the list, because the queue orders the requests of this instance. */
const ATTEMPTS = 100

/**
 * Changes a royal list. When another instance changed it after the read, the change begins again. Requested ids that are not
 * listed afterwards are rejected.
 * @throws DomainError NOT_FOUND when the user is gone, FORBIDDEN for a suspended one
 */
export async function changeList(
  deps: Pick<RoyalDeps, 'db' | 'instance' | 'clock'>,
  { user: { _id }, socketId }: ListOwner,
  { next, requested = [] }: { next: Next; requested?: readonly string[] },
): Promise<Changed<RoyalList, RoyalChanged>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const now = deps.clock()
    const { stored = null, listed, ...user } = await findList(deps, _id)
    refuseSuspension(suspensionAt(now, user))

    const royalGames = [...next(listed)]
    const rejected = requested.filter((gameId) => !royalGames.includes(gameId))
    const result = { royalGames, rejected }
    if (royalGames.join() === listed.join()) return { result, event: null }
    const changed = await deps.db.users.findOneAndUpdate(
      { _id, $expr: { $eq: [{ $ifNull: ['$royalGames', null] }, { $literal: stored }] }, ...unsuspendedAt(now) },
      {
        $set: { royalGames: royalGames.map((gameId) => new ObjectId(gameId)), sentBy: createSentBy(deps, socketId) },
        $inc: { rev: 1 },
        $currentDate: { updatedAt: true },
      },
      { returnDocument: 'after', projection: { rev: 1 } },
    )
    if (changed !== null) return { result, event: { payload: { royalGames }, version: { rev: changed.rev } } }
  }
  throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
}

interface GameIds {
  gameIds: readonly string[]
}

/** Adds games that are not listed yet, in the order of the request, as many as fit; unknown games are dropped. */
export const addRoyalGames = (
  deps: RoyalDeps,
  actor: ListOwner,
  { gameIds, position }: GameIds & { position: 'start' | 'end' },
): Promise<RoyalList> =>
  inRoyalTurn(deps, actor, async () => {
    const requested = [...new Set(gameIds)]
    const unknown = new Set(await findUnknownGames(deps, requested))
    const existing = requested.filter((gameId) => !unknown.has(gameId))
    return changeList(deps, actor, { next: withAdded(existing, position), requested })
  })

/** Removes games. Ids that are not listed are ignored, and nothing is rejected. */
export const removeRoyalGames = (deps: RoyalDeps, actor: ListOwner, { gameIds }: GameIds): Promise<RoyalList> =>
  inRoyalTurn(deps, actor, () =>
    changeList(deps, actor, { next: (listed) => listed.filter((id) => !gameIds.includes(id)) }),
  )

/**
 * Replaces the whole list, each id at its first position. Unknown games are dropped, except those that the list holds
 * already, because a game that left the catalogue does not leave the list.
 */
export const setRoyalGames = (deps: RoyalDeps, actor: ListOwner, { gameIds }: GameIds): Promise<RoyalList> =>
  inRoyalTurn(deps, actor, async () => {
    const requested = [...new Set(gameIds)]
    const unknown = new Set(await findUnknownGames(deps, requested))
    const next: Next = (listed) => requested.filter((id) => !unknown.has(id) || listed.includes(id))
    return changeList(deps, actor, { next, requested })
  })

/** Puts a listed game before another listed one, or at the end. A game that is not listed is rejected. */
export const moveRoyalGame = (
  deps: RoyalDeps,
  actor: ListOwner,
  { gameId, before }: { gameId: string; before: string | null },
): Promise<RoyalList> =>
  inRoyalTurn(deps, actor, () => changeList(deps, actor, { next: withMoved(gameId, before), requested: [gameId] }))

/** Reads the list after all earlier changes of its owner. */
export const loadRoyalGames = (deps: RoyalDeps, { user: { _id }, isGone }: ListOwner): Promise<RoyalList> =>
  inRoyalTurn(deps, { user: { _id }, isGone }, async () => {
    const { listed: royalGames } = await findList(deps, _id)
    return { result: { royalGames, rejected: [] }, event: null }
  })
