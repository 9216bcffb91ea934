import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  type AnyBulkWriteOperation,
  type Collection,
  type Document,
  type Filter,
  type FindOptions,
  type MatchKeysAndValues,
  MongoBulkWriteError,
  ObjectId,
} from 'mongodb'
import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { BY_NAME_KEY } from '#lib/infrastructure/db/collections/name-keys'
import type { Database } from '#lib/infrastructure/db/connect'
import { isDatabaseUnreachable } from '#lib/infrastructure/db/is-database-unreachable'
import { buildCharacterKeys } from '../characters/insert-characters.ts'
import { buildGameKeys } from '../games/insert-game.ts'

/** Documents that are read and written at once. */
export const KEYS_BATCH = 50

export type Keyable = GameDocument | CharacterDocument

/** A collection whose documents have derived keys. */
export interface Kind<D extends Keyable> {
  collection: Collection<D>
  /** An expression for the fields that the keys are derived from. */
  facts: Document
  buildKeys(facts: D): MatchKeysAndValues<D>
}

const DERIVED = ['nameKey', 'alternativeKeys', 'searchWords', 'searchRank', 'matchKeys', 'lowerCaseNames']

type KeysDb = Pick<Database, 'games' | 'characters'>

export const createKinds = ({
  games,
  characters,
}: KeysDb): { games: Kind<GameDocument>; characters: Kind<CharacterDocument> } => ({
  games: {
    collection: games,
    facts: {
      name: '$name',
      alternative_names: '$alternative_names',
      companies: '$companies',
      first_release: '$first_release',
      igdb: { total_rating_count: '$igdb.total_rating_count', hypes: '$igdb.hypes' },
      vndb: { votecount: '$vndb.votecount' },
    },
    buildKeys: buildGameKeys,
  },
  characters: { collection: characters, facts: { name: '$name', akas: '$akas' }, buildKeys: buildCharacterKeys },
})

/** Top-level fields that the keys are derived from. */
export const FACT_FIELDS = ['name', 'alternative_names', 'companies', 'first_release', 'igdb', 'vndb', 'akas']

type Keyed<D> = D & { _id: ObjectId; facts: D }

/** Reads what the keys of some documents are derived from, and their keys. */
export async function readFacts<D extends Keyable>(
  { collection, facts }: Kind<D>,
  filter: Filter<D>,
  options: FindOptions = {},
): Promise<Keyed<D>[]> {
  const derived = Object.fromEntries(DERIVED.map((field) => [field, 1]))
  // `$mergeObjects` makes it the expression of the filter below, and no path of a projection.
  const projection = { ...derived, facts: { $mergeObjects: [facts] } }
  return await collection.find<Keyed<D>>(filter, { limit: KEYS_BATCH, ...options, projection }).toArray()
}

/**
 * Writes the keys of documents that have none or others, each only while the document says what the keys were made of:
 * never the keys of an older name.
 * @returns how many were written, and how many the database refused, for example by a validation rule of the collection
 */
export async function writeKeys<D extends Keyable>(
  { collection, facts, buildKeys }: Kind<D>,
  documents: readonly Keyed<D>[],
): Promise<{ made: number; refused: number }> {
  const updates = documents.flatMap((document): AnyBulkWriteOperation<D>[] => {
    const keys = buildKeys(document.facts)
    const stored: Document = { ...document.facts, ...document }
    if (Object.entries(keys).every(([field, value]) => isDeepStrictEqual(stored[field], value))) return []
    const isSame = { $eq: [{ $mergeObjects: [facts] }, { $literal: document.facts }] }
    const filter: Document = { _id: document._id, $expr: isSame }
    // The type of a filter is not known for a generic document.
    return [{ updateOne: { filter: filter as Filter<D>, update: { $set: keys } } }]
  })
  if (updates.length === 0) return { made: 0, refused: 0 }
  try {
    const { modifiedCount } = await collection.bulkWrite(updates, { ordered: false })
    return { made: modifiedCount, refused: 0 }
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || isDatabaseUnreachable(error)) throw error
    return { made: error.modifiedCount, refused: [error.writeErrors].flat().length }
  }
}

/** The part of the time of a batch. */
const REST = 1 / 2

/** Rests a while after a batch of work, so that a bulk leaves the machine to the requests of others. */
export async function pace<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  await sleep((performance.now() - startedAt) * REST)
  return result
}

const FIRST_ID = new ObjectId('0'.repeat(24))

interface Options {
  /** Makes the keys of all documents again, and not only of those without any. */
  isAll?: boolean
  /** Ends the work after the current batch. */
  signal?: AbortSignal
  /** Called after each batch. */
  onProgress?(kind: 'games' | 'characters', read: number): void
}

async function completeKind<D extends Keyable>(
  kind: Kind<D>,
  { isAll, signal }: Options,
  onBatch: (read: number) => void,
): Promise<number> {
  let [changed, read, passedOver, after] = [0, 0, 0, FIRST_ID]
  while (!signal?.aborted) {
    // Both fields belong to every kind. Readers leave out a document with another id.
    const filter = (isAll ? { _id: { $gt: after } } : { nameKey: null, _id: { $gte: FIRST_ID } }) as Filter<D>
    const options = isAll ? { sort: { _id: 1 as const } } : { skip: passedOver, hint: BY_NAME_KEY }
    const documents = await readFacts(kind, filter, options)
    const last = documents.at(-1)
    if (last === undefined) break
    const { made, refused } = await pace(() => writeKeys(kind, documents))
    changed += made
    read += documents.length
    // A batch without any success would come again: the change stream brings what others changed meanwhile.
    passedOver += made === 0 ? documents.length : refused
    after = last._id
    onBatch(read)
  }
  return changed
}

/**
 * Adds the derived keys to games and characters that another program stored without them, or writes all that differ. A later
 * call completes the work of a killed process. With nothing to do it reads two index ranges.
 * @returns how many were written
 */
export async function completeKeys(db: KeysDb, options: Options = {}) {
  const { games, characters } = createKinds(db)
  return {
    games: await completeKind(games, options, (read) => options.onProgress?.('games', read)),
    characters: await completeKind(characters, options, (read) => options.onProgress?.('characters', read)),
  }
}
