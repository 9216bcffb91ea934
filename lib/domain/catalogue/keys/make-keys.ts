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
  type ObjectId,
} from 'mongodb'
import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
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

export interface Kinds {
  games: Kind<GameDocument>
  characters: Kind<CharacterDocument>
}

export const createKinds = ({ games, characters }: Pick<Database, 'games' | 'characters'>): Kinds => ({
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
