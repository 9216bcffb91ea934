import { type Document, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { ROYAL_GAMES_LIMIT } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { RoyalChanged } from '../../contract/namespaces/royal.ts'
import { SOCKET_MAX_WAIT_MS } from '../../infrastructure/concurrency/timeouts.ts'
import { suspensionAt, unsuspendedAt } from '../../infrastructure/db/collections/users.ts'
import { listIn } from '../../infrastructure/db/expressions.ts'
import { id, readableArray } from '../../infrastructure/db/readable-documents.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { describeSuspension } from '../auth/describe-suspension.ts'
import { findUnknownGames } from '../catalogue/existing-games.ts'
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

const listed = listIn('$royalGames')
const isListed = { $in: ['$$id', listed] }

const toIds = (ids: readonly string[]) => ({ $literal: ids.map((id) => new ObjectId(id)) })
const pick = (input: Document, cond: Document) => ({ $filter: { input, as: 'id', cond } })

export function withAdded(ids: readonly string[], position: 'start' | 'end'): Document {
  const room = { $subtract: [ROYAL_GAMES_LIMIT, { $size: listed }] }
  // $slice refuses 0; the condition below keeps a full list away.
  const fresh = { $slice: [pick(toIds(ids), { $not: [isListed] }), { $max: [1, room] }] }
  const longer = { $concatArrays: position === 'start' ? [fresh, listed] : [listed, fresh] }
  return { $cond: [{ $gt: [room, 0] }, longer, listed] }
}

const withRemoved = (ids: readonly string[]): Document => pick(listed, { $not: [{ $in: ['$$id', toIds(ids)] }] })

/** Replaces the list by `ids`. Ids that left the catalogue (`unknown`) stay only when they were listed. */
function withReplaced(ids: readonly string[], unknown: readonly string[]): Document {
  if (unknown.length === 0) return toIds(ids)
  return pick(toIds(ids), { $or: [{ $not: [{ $in: ['$$id', toIds(unknown)] }] }, isListed] })
}

/** Moves a listed id in front of `before`, or to the end when that is null or not listed. */
function withMoved(id: string, before: string | null): Document {
  if (id === before) return listed
  const [rest, at, moved] = ['$$rest', '$$at', toIds([id])]
  const parts = [{ $slice: [rest, at] }, moved, { $slice: [rest, at, ROYAL_GAMES_LIMIT] }]
  // $slice refuses 0, and takes a negative number from the end.
  const inFront = { $cond: [{ $eq: [at, 0] }, { $concatArrays: [moved, rest] }, { $concatArrays: parts }] }
  const placed = { $cond: [{ $lt: [at, 0] }, { $concatArrays: [rest, moved] }, inFront] }
  const found = before === null ? -1 : { $indexOfArray: [rest, new ObjectId(before)] }

  return {
    $let: {
      vars: { rest: withRemoved([id]) },
      in: {
        $cond: [{ $eq: [{ $size: rest }, { $size: listed }] }, listed, { $let: { vars: { at: found }, in: placed } }],
      },
    },
  }
}

/** Changes a list in a single update. The stamp shows afterwards whether this update changed the list. */
function toPipeline(next: Document, { stamp, sentBy }: { stamp: ObjectId; sentBy: string }): Document[] {
  const isSame = { $eq: ['$royalNext', listed] }

  return [
    { $set: { royalNext: next } },
    {
      $set: {
        royalChange: { $cond: [isSame, '$royalChange', stamp] },
        updatedAt: { $cond: [isSame, '$updatedAt', '$$NOW'] },
        rev: { $cond: [isSame, '$rev', { $add: [{ $ifNull: ['$rev', 0] }, 1] }] },
        sentBy: { $cond: [isSame, '$sentBy', sentBy] },
        royalGames: '$royalNext',
      },
    },
    { $unset: 'royalNext' },
  ]
}

interface ChangeListInput {
  /** An expression over the user's document; see the `with…` functions. */
  next: Document
  /** Ids that should be listed afterwards. Ids that are not are rejected. */
  requested?: readonly string[]
}

interface GameIds {
  gameIds: readonly string[]
}

/** Explains why no list was written. */
async function explainRefusal({ db, clock }: Pick<RoyalDeps, 'db' | 'clock'>, _id: ObjectId): Promise<DomainError> {
  const user = await db.users.findOne({ _id }, { projection: { roles: 1, site: 1, suspension: 1 } })
  if (user === null) return new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  const suspension = suspensionAt(clock(), user)
  return suspension === null
    ? new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
    : new DomainError('FORBIDDEN', describeSuspension(suspension))
}

/**
 * Writes a royal list in one update that also finds out whether it differs from the old one.
 * @throws DomainError NOT_FOUND when the user is gone, FORBIDDEN for a suspended one
 */
export async function changeList(
  deps: Pick<RoyalDeps, 'db' | 'instance' | 'clock'>,
  actor: ListOwner,
  { next, requested = [] }: ChangeListInput,
): Promise<Changed<RoyalList, RoyalChanged>> {
  const stamp = new ObjectId()
  const user = await deps.db.users.findOneAndUpdate(
    { _id: actor.user._id, ...unsuspendedAt(deps.clock()) },
    toPipeline(next, { stamp, sentBy: createSentBy(deps, actor.socketId) }),
    {
      returnDocument: 'after',
      projection: { royalGames: 1, royalChange: 1, rev: 1 },
    },
  )
  if (user === null) throw await explainRefusal(deps, actor.user._id)

  const royalGames = readableArray(id)
    .catch([])
    .parse(user.royalGames)
    .map((id) => id.toHexString())
  const present = new Set(royalGames)
  const rejected = requested.filter((id) => !present.has(id))
  const isChanged = user.royalChange?.equals(stamp) ?? false
  return {
    result: { royalGames, rejected },
    event: isChanged ? { payload: { royalGames }, version: { rev: user.rev } } : null,
  }
}

/**
 * Adds games that are not listed yet, in the order of the request, as many as fit; unknown games are dropped. Cached games
 * are not looked up.
 * @throws DomainError NOT_FOUND when the user is gone
 */
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

/**
 * Removes games; ids that are not listed are ignored, and nothing is ever rejected.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export const removeRoyalGames = (deps: RoyalDeps, actor: ListOwner, { gameIds }: GameIds): Promise<RoyalList> =>
  inRoyalTurn(deps, actor, () => changeList(deps, actor, { next: withRemoved(gameIds) }))

/**
 * Replaces the whole list, each id at its first position. Unknown games are dropped, except those that the list holds
 * already, because a game that left the catalogue does not leave the list.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export const setRoyalGames = (deps: RoyalDeps, actor: ListOwner, { gameIds }: GameIds): Promise<RoyalList> =>
  inRoyalTurn(deps, actor, async () => {
    const requested = [...new Set(gameIds)]
    const unknown = await findUnknownGames(deps, requested)
    return changeList(deps, actor, { next: withReplaced(requested, unknown), requested })
  })

/**
 * Puts a listed game before another listed one, or at the end where that is null; a game that is not listed is rejected.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export const moveRoyalGame = (
  deps: RoyalDeps,
  actor: ListOwner,
  { gameId, before }: { gameId: string; before: string | null },
): Promise<RoyalList> =>
  inRoyalTurn(deps, actor, () => changeList(deps, actor, { next: withMoved(gameId, before), requested: [gameId] }))

/**
 * Reads the list after all earlier changes of its owner; an account without one has an empty list.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export const loadRoyalGames = (deps: RoyalDeps, { user: { _id }, isGone }: ListOwner): Promise<RoyalList> =>
  inRoyalTurn(deps, { user: { _id }, isGone }, async () => {
    const user = await deps.db.users.findOne({ _id }, { projection: { royalGames: 1 } })
    if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
    const royalGames = (user.royalGames ?? []).map((id) => id.toHexString())
    return { result: { royalGames, rejected: [] }, event: null }
  })
