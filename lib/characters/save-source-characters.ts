import type { ObjectId } from 'mongodb'
import type { ImageDeps } from '../entries/copy-source-image.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import type { Storage } from '../storage/storage.ts'
import { copyMugShots, type Newcomer } from './copy-mug-shots.ts'
import type { CharactersDeps } from './deps.ts'
import { writeSourceCharacters } from './write-source-characters.ts'

type SaveDeps = Pick<CharactersDeps, 'db' | 'clock' | 'queue'> &
  ImageDeps & { storage: Pick<Storage, 'keyOf' | 'delete'> }

interface Saving {
  /** Stored already, so that the characters of its series are known as such. */
  gameId: ObjectId
  resolved: ResolvedEntry
  signal?: AbortSignal | undefined
}

interface SavedCharacters {
  created: ObjectId[]
  /** Those that were there already and have the game now. */
  linked: ObjectId[]
  /** Links of mug shots that could not be copied. */
  failedImages: readonly string[]
}

const MAX_WAIT_MS = 30_000

/** Deletes mug shots of characters that somebody else made meanwhile; one that was renamed since has its own still. */
async function deleteUnused({ db, storage }: SaveDeps, superseded: readonly Newcomer[]): Promise<void> {
  if (superseded.length === 0) return
  const ids = superseded.map(({ _id }) => _id)
  const there = await db.characters.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray()
  const unused = superseded
    .filter(({ _id }) => !there.some((character) => character._id.equals(_id)))
    .flatMap(({ mugShot }) => (mugShot && storage.keyOf(mugShot)) || [])
  if (unused.length > 0) await storage.delete(unused)
}

/**
 * Stores the characters of an entry: those that the catalogue has are given the game, the others are made, with their
 * mug shots. Doing it twice changes nothing more. What is new in one process is made in one turn, so that two games of a
 * series that are written at once share their characters.
 * @throws StorageError, or the signal's reason
 */
export async function saveSourceCharacters(
  deps: SaveDeps,
  { gameId, resolved, signal }: Saving,
): Promise<SavedCharacters> {
  const prepared = await copyMugShots(deps, { gameId, resolved, signal })
  const write = () => writeSourceCharacters(deps, { gameId, prepared, signal })
  const isKnown = prepared.newcomers.length === 0
  const { created, linked, superseded } = isKnown
    ? await write()
    : await deps.queue.run('source characters', write, { maxWaitMs: MAX_WAIT_MS })

  await deleteUnused(deps, superseded)
  return { created: created.map(({ _id }) => _id), linked, failedImages: prepared.failedImages }
}
