import { type Filter, ObjectId } from 'mongodb'
import { BY_NAME_KEY } from '#lib/infrastructure/db/collections/name-keys'
import type { Database } from '#lib/infrastructure/db/connect'
import { createKinds, KEYS_BATCH, type Keyable, type Kind, pace, readFacts, writeKeys } from './make-keys.ts'

type KeysDb = Pick<Database, 'games' | 'characters'>

const FIRST_ID = new ObjectId('0'.repeat(24))

interface Counts {
  games: number
  characters: number
}

interface Options {
  /** Ends the work after the current batch. */
  signal?: AbortSignal
}

async function completeKind<D extends Keyable>(kind: Kind<D>, { signal }: Options): Promise<number> {
  // Both fields belong to every kind. Readers leave out a document with another id.
  const withoutKeys = { nameKey: null, _id: { $gte: FIRST_ID } } as Filter<D>
  let completed = 0
  let passedOver = 0
  while (!signal?.aborted) {
    const documents = await readFacts(kind, withoutKeys, { skip: passedOver, hint: BY_NAME_KEY })
    if (documents.length === 0) break
    const { made, refused } = await pace(() => writeKeys(kind, documents))
    completed += made
    // A batch without any success would come again: the change stream brings what others changed meanwhile.
    passedOver += made === 0 ? documents.length : refused
  }
  return completed
}

/**
 * Adds the derived keys to games and characters that another program stored without them. A later call completes the work
 * of a killed process. With nothing to do it reads two index ranges.
 */
export async function completeKeys(db: KeysDb, options: Options = {}): Promise<Counts> {
  const { games, characters } = createKinds(db)
  return { games: await completeKind(games, options), characters: await completeKind(characters, options) }
}

interface AllOptions extends Options {
  /** Called after each batch. */
  onProgress?(kind: keyof Counts, read: number): void
}

async function makeAllOfKind<D extends Keyable>(kind: Kind<D>, onBatch: (read: number) => void, { signal }: Options) {
  let [read, changed] = [0, 0]
  let after = FIRST_ID
  while (!signal?.aborted) {
    const behind = { _id: { $gt: after } } as Filter<D>
    const documents = await readFacts(kind, behind, { sort: { _id: 1 } })
    after = documents.at(-1)?._id ?? after
    changed += (await pace(() => writeKeys(kind, documents))).made
    read += documents.length
    onBatch(read)
    if (documents.length < KEYS_BATCH) break
  }
  return changed
}

/** Makes the keys of all games and characters again, and writes those that differ. Returns how many these were. */
export async function makeAllKeys(db: KeysDb, { onProgress, ...options }: AllOptions = {}): Promise<Counts> {
  const { games, characters } = createKinds(db)
  return {
    games: await makeAllOfKind(games, (read) => onProgress?.('games', read), options),
    characters: await makeAllOfKind(characters, (read) => onProgress?.('characters', read), options),
  }
}
