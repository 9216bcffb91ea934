import { type Filter, ObjectId } from 'mongodb'
import { BY_NAME_KEY } from '#lib/infrastructure/db/collections/name-keys'
import type { Database } from '#lib/infrastructure/db/connect'
import { createKinds, type Keyable, type Kind, pace, readFacts, writeKeys } from './make-keys.ts'

type KeysDb = Pick<Database, 'games' | 'characters'>

const FIRST_ID = new ObjectId('0'.repeat(24))

interface Counts {
  games: number
  characters: number
}

interface Options {
  /** Ends the work after the current batch. */
  signal?: AbortSignal
  /** Called after each batch. */
  onProgress?(kind: keyof Counts, read: number): void
}

async function writeKind<D extends Keyable>(
  kind: Kind<D>,
  { isAll, signal, onBatch }: { isAll: boolean; signal?: AbortSignal | undefined; onBatch(read: number): void },
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

async function writeKinds(db: KeysDb, isAll: boolean, { signal, onProgress }: Options): Promise<Counts> {
  const { games, characters } = createKinds(db)
  const options = (name: keyof Counts) => ({ isAll, signal, onBatch: (read: number) => onProgress?.(name, read) })
  return {
    games: await writeKind(games, options('games')),
    characters: await writeKind(characters, options('characters')),
  }
}

/**
 * Adds the derived keys to games and characters that another program stored without them. A later call completes the work
 * of a killed process. With nothing to do it reads two index ranges.
 */
export const completeKeys = (db: KeysDb, options: Options = {}) => writeKinds(db, false, options)

/** Makes the keys of all games and characters again, and writes those that differ. Returns how many these were. */
export const makeAllKeys = (db: KeysDb, options: Options = {}) => writeKinds(db, true, options)
