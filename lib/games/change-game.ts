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

interface ChangeGameOptions {
  /** Beside the id; a game for which it does not hold is not changed. */
  filter?: Filter<GameDocument>
  /** The game as its caller read it, which saves the first read. */
  loaded?: GameDocument | undefined
  session?: ClientSession | undefined
}

/** Each try that fails means that another change arrived, so this many arrive at once. */
const MAX_TRIES = 50

/** Later than the one before, also where two changes meet in one millisecond or the clock went back. */
export const NEXT_UPDATED_AT = {
  $max: ['$$NOW', { $cond: [{ $eq: [{ $type: '$updatedAt' }, 'date'] }, { $add: ['$updatedAt', 1] }, null] }],
}

function toUpdate(game: GameDocument, { $set = {}, $unset = [] }: GameChanges): Document[] {
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
 * Changes a game by the result of `compute` for the stored game, and keeps its derived keys right. `compute` is called
 * again when another change came between, so lists may be read and written whole. Null writes nothing.
 * @returns the game as it is stored now; null when it is gone or `filter` does not hold
 */
export async function changeGame(
  { db }: Pick<GamesDeps, 'db'>,
  gameId: ObjectId,
  compute: (game: GameDocument) => GameChanges | null,
  { filter = {}, loaded, session }: ChangeGameOptions = {},
): Promise<GameDocument | null> {
  const wanted: Filter<GameDocument> = { ...filter, _id: gameId }
  const options = { ...(session && { session }) }

  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const isLoaded = loaded !== undefined && tries === 0
    const game = isLoaded ? loaded : await db.games.findOne(wanted, options)
    if (game === null) return null
    const changes = compute(game)
    // A game that was loaded earlier may have changed since: only a fresh one is answered unchanged.
    if (changes === null && isLoaded) continue
    if (changes === null) return game

    // An older release may have stored a game without the time.
    const unchanged: Document = { updatedAt: game.updatedAt ?? null }
    const changed = await db.games.findOneAndUpdate({ ...wanted, ...unchanged }, toUpdate(game, changes), {
      returnDocument: 'after',
      ...options,
    })
    if (changed !== null) return changed
  }
  throw new Error(`game ${gameId} was changed ${MAX_TRIES} times while one change was made`)
}
