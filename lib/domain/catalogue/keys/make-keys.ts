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

/** The number of documents in one read and one write. */
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

/** Reads the keys of documents, and the fields that they are derived from. */
export async function readFacts<D extends Keyable>(
  { collection, facts }: Kind<D>,
  filter: Filter<D>,
  options: FindOptions = {},
): Promise<Keyed<D>[]> {
  const derived = Object.fromEntries(DERIVED.map((field) => [field, 1]))
  // `$mergeObjects` makes the value an expression, which is the same as in the filter of `writeKeys`.
  const projection = { ...derived, facts: { $mergeObjects: [facts] } }
  return await collection.find<Keyed<D>>(filter, { limit: KEYS_BATCH, ...options, projection }).toArray()
}

/**
 * Writes the keys of documents that lack them or have others. A document that has changed since the read is left alone, so
 * it never gets the keys of an older name.
 * @returns the number of documents written, and of those that the database refused, for example by a validation rule
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

/** The length of the pause after a batch, as a part of the time of the batch. */
const PAUSE = 1 / 2

/** Makes the keys of one batch of documents, then pauses, so that many batches leave the machine to requests. */
export async function makeBatch<D extends Keyable>(kind: Kind<D>, filter: Filter<D>, options: FindOptions = {}) {
  const startedAt = performance.now()
  const documents = await readFacts(kind, filter, options)
  const written = await writeKeys(kind, documents)
  await sleep((performance.now() - startedAt) * PAUSE)
  return { documents, ...written }
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
    const { documents, made, refused } = await makeBatch(kind, filter, options)
    const last = documents.at(-1)
    if (last === undefined) break
    changed += made
    read += documents.length
    // A batch without any success would be read again. The change stream brings the documents that changed since the read.
    passedOver += made === 0 ? documents.length : refused
    after = last._id
    onBatch(read)
  }
  return changed
}

/**
 * Adds the derived keys to games and characters that another program stored without them; with `isAll` it corrects all keys.
 * A later call completes the work of a killed process. Without missing keys a call reads two ranges of indexes.
 * @returns the number of documents written
 */
export async function completeKeys(db: KeysDb, options: Options = {}) {
  const { games, characters } = createKinds(db)
  return {
    games: await completeKind(games, options, (read) => options.onProgress?.('games', read)),
    characters: await completeKind(characters, options, (read) => options.onProgress?.('characters', read)),
  }
}
