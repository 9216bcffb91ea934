import type { ClientSession, Document, Filter, ObjectId } from 'mongodb'
import type { GameDocument } from '../db/collections/games.ts'
import type { NameKeys } from '../db/collections/name-keys.ts'
import type { GamesDeps } from './deps.ts'
import { buildGameKeys } from './game-keys.ts'

type Changeable = Omit<GameDocument, '_id' | 'slug' | 'createdAt' | 'updatedAt' | keyof NameKeys>

/** Fields of a game that a change may write, each as a whole. */
export type GameFields = Partial<Changeable>

export interface GameChanges {
  $set?: GameFields
  $unset?: readonly Exclude<keyof GameFields, 'name'>[]
}

interface Options {
  /** Beside the id; a game for which it does not hold is not changed. */
  filter?: Filter<GameDocument>
  session?: ClientSession | undefined
}

/** Each try that fails means that another change arrived, so this many arrive at once. */
const MOST_TRIES = 50

/** Later than the one before, also where two changes meet in one millisecond or the clock went back. */
export const NEXT_UPDATED_AT = {
  $max: ['$$NOW', { $cond: [{ $eq: [{ $type: '$updatedAt' }, 'date'] }, { $add: ['$updatedAt', 1] }, null] }],
}

function updateOf(game: GameDocument, { $set = {}, $unset = [] }: GameChanges): Document[] {
  const removed = Object.fromEntries($unset.map((field) => [field, undefined]))
  const keys = buildGameKeys({ ...game, ...$set, ...removed })
  const values = Object.entries({ ...$set, ...keys })
    .filter(([, value]) => value !== undefined)
    // Texts that begin with `$` are data.
    .map(([field, value]) => [field, { $literal: value }])

  return [
    { $set: { ...Object.fromEntries(values), updatedAt: NEXT_UPDATED_AT } },
    ...($unset.length > 0 ? [{ $unset: [...$unset] }] : []),
  ]
}

/**
 * Changes a game by what `compute` makes of it as it is stored, and keeps its derived keys right. When another change
 * came between, it is computed again, so lists may be read and written whole. Where `compute` answers null nothing is
 * written.
 * @returns the game as it is stored now; null when it is gone or `filter` does not hold
 */
export async function changeGame(
  { db }: Pick<GamesDeps, 'db'>,
  gameId: ObjectId,
  compute: (game: GameDocument) => GameChanges | null,
  { filter = {}, session }: Options = {},
): Promise<GameDocument | null> {
  const wanted: Filter<GameDocument> = { ...filter, _id: gameId }
  const options = { ...(session && { session }) }

  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const game = await db.games.findOne(wanted, options)
    if (game === null) return null
    const changes = compute(game)
    if (changes === null) return game

    // An older release may have stored a game without the time.
    const unchanged: Document = { updatedAt: game.updatedAt ?? null }
    const changed = await db.games.findOneAndUpdate({ ...wanted, ...unchanged }, updateOf(game, changes), {
      returnDocument: 'after',
      ...options,
    })
    if (changed !== null) return changed
  }
  throw new Error(`game ${gameId} was changed ${MOST_TRIES} times while one change was made`)
}
