import { randomUUID } from 'node:crypto'
import { ObjectId } from 'mongodb'
import type { KeyedQueue } from '#lib/infrastructure/concurrency/keyed-queue'
import type { Database } from '#lib/infrastructure/db/connect'
import { createExactCache } from '#lib/infrastructure/events/exact-cache'
import { createLogger } from '#lib/infrastructure/observability/log'
import { createMetrics } from '#lib/infrastructure/observability/metrics'
import { createEmitter } from '../../../realtime/emitter.ts'
import { insertUser, newGame } from '../rows/rows.ts'
import { useDatabase } from '../service/use-database.ts'

export const unknownGame = () => new ObjectId().toHexString()

export async function insertGames(db: Database, count: number): Promise<string[]> {
  const games = Array.from({ length: count }, () => newGame())
  await db.games.insertMany(games)
  return games.map(({ _id }) => _id.toHexString())
}

/** When every user of a scene was changed last. */
export const LONG_AGO = new Date('2020-01-01T00:00:00Z')

/** A database with games and users, for all tests of a file. */
export async function useRoyalScene({ gamesCount }: { gamesCount: number }) {
  const { db } = await useDatabase()
  const log = createLogger('silent')
  const games = gamesCount === 0 ? [] : await insertGames(db, gamesCount)
  /** The queue lets no change wait for its turn, because other instances would not wait either. */
  const queue: KeyedQueue = { run: (_key, task) => task() }

  return {
    clock: () => new Date(),
    db,
    instance: 'scene',
    queue,
    emit: createEmitter({ log, metrics: createMetrics() }),
    existingGames: createExactCache<object>({ isLive: () => true, maxBytes: 1_000_000, sizeOf: () => 1 }),
    games,
    /** Adds a user with this list; without one, as an account from before there were lists. */
    async addUser(royalGames?: readonly string[]) {
      const { _id } = await insertUser(
        { db, jwtSecret: 'none' },
        { userName: `user-${randomUUID()}`, createdAt: LONG_AGO },
      )
      const list = royalGames && { royalGames: royalGames.map((id) => new ObjectId(id)) }
      if (list !== undefined) await db.users.updateOne({ _id }, { $set: list })
      return _id.toHexString()
    },
    /** The list and the times as they are stored. */
    async stored(userId: string) {
      const user = await db.users.findOne({ _id: new ObjectId(userId) })
      if (user === null) throw new Error('there is no such user')
      const royalGames = user.royalGames?.map((id) => id.toHexString())
      return { royalGames, updatedAt: user.updatedAt }
    },
  }
}
