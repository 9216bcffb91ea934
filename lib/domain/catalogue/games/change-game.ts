import type { ClientSession, Document, ObjectId } from 'mongodb'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { CatalogueDeps } from '../deps.ts'
import { buildGameKeys, type GameValues } from './insert-game.ts'

export type GameFields = Partial<GameValues>

export interface GameChanges {
  $set?: GameFields
  $unset?: readonly Exclude<keyof GameFields, 'name'>[]
}

/** A time later than the stored one, even for two changes in one millisecond or after the clock went back. */
const NEXT_UPDATED_AT = {
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
 * Changes a game and its derived keys. `compute` reads the stored game and answers the changes; null changes nothing.
 * @returns the stored game after the change; null when it is gone
 */
export async function changeGame(
  { db }: Pick<CatalogueDeps, 'db'>,
  gameId: ObjectId,
  compute: (game: GameDocument) => GameChanges | null,
  { session }: { session: ClientSession },
): Promise<GameDocument | null> {
  const game = await db.games.findOne({ _id: gameId }, { session })
  const changes = game && compute(game)
  if (!game || !changes) return game
  return await db.games.findOneAndUpdate({ _id: gameId }, toUpdate(game, changes), { session, returnDocument: 'after' })
}
