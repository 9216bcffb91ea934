import {
  type AnyBulkWriteOperation,
  type Collection,
  type Filter,
  type MatchKeysAndValues,
  MongoBulkWriteError,
  type ObjectId,
} from 'mongodb'
import type { Deps } from '../deps.ts'
import { buildCharacterKeys } from '../domain/catalogue/characters/insert-characters.ts'
import { buildGameKeys } from '../domain/catalogue/games/insert-game.ts'
import type { CharacterDocument } from '../infrastructure/db/collections/characters.ts'
import type { GameDocument } from '../infrastructure/db/collections/games.ts'
import type { NameKeys } from '../infrastructure/db/collections/name-keys.ts'
import { isDatabaseUnreachable } from '../infrastructure/db/is-database-unreachable.ts'

interface Keyed extends NameKeys {
  _id: ObjectId
  name: string
  updatedAt: Date
}

interface Task<D extends Keyed> {
  collection: Collection<D>
  fields: readonly string[]
  buildKeys(document: D): MatchKeysAndValues<D>
}

const BATCH = 500

async function complete<D extends Keyed>({ collection, fields, buildKeys }: Task<D>): Promise<number> {
  // `nameKey` belongs to `Keyed`, so every `D` has it. Documents without it come first in its index.
  const withoutKeys = { nameKey: null } as Filter<D>
  const projection = Object.fromEntries(['name', 'updatedAt', ...fields].map((field) => [field, 1]))
  const cursor = collection.find<D>(withoutKeys, { projection }).batchSize(BATCH)
  let updates: AnyBulkWriteOperation<D>[] = []
  let completed = 0

  async function write(): Promise<void> {
    if (updates.length === 0) return
    const { modifiedCount } = await collection.bulkWrite(updates, { ordered: false }).catch((error: unknown) => {
      // The database refused single documents, for example by a validation rule of the collection.
      if (!(error instanceof MongoBulkWriteError) || isDatabaseUnreachable(error)) throw error
      return error
    })
    completed += modifiedCount
    updates = []
  }

  for await (const document of cursor) {
    // A game that changed meanwhile got its keys from that write.
    const unchanged = { _id: document._id, updatedAt: document.updatedAt } as Filter<D>
    updates.push({ updateOne: { filter: unchanged, update: { $set: buildKeys(document) } } })
    if (updates.length === BATCH) await write()
  }
  await write()
  return completed
}

/**
 * Adds the derived keys to games and characters that another program stored without them. The next start completes the work
 * of a killed process. With nothing to do it reads two index ranges.
 */
export async function completeKeys({ games, characters }: Deps['db']) {
  const votes = ['igdb.total_rating_count', 'igdb.hypes', 'vndb.votecount']
  const gameFields = ['first_release', 'alternative_names', 'companies', ...votes]
  return {
    games: await complete<GameDocument>({ collection: games, fields: gameFields, buildKeys: buildGameKeys }),
    characters: await complete<CharacterDocument>({
      collection: characters,
      fields: ['akas'],
      buildKeys: buildCharacterKeys,
    }),
  }
}
