import type { ObjectId } from 'mongodb'
import { CHARACTERS_MAX_WAIT_MS } from '../concurrency/timeouts.ts'
import { mapByIds } from '../db/find-by-ids.ts'
import type { ImageDeps } from '../entries/copy-source-image.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import type { Storage } from '../storage/storage.ts'
import { copyMugShots, type Newcomer } from './copy-mug-shots.ts'
import type { CharactersDeps } from './deps.ts'
import { writeSourceCharacters } from './write-source-characters.ts'

type SaveDeps = Pick<CharactersDeps, 'db' | 'clock' | 'queue'> &
  ImageDeps & { storage: Pick<Storage, 'keyOf' | 'delete'> }

interface SaveInput {
  /** A stored game: its series tells its characters. */
  gameId: ObjectId
  resolved: ResolvedEntry
  signal?: AbortSignal | undefined
}

interface SavedCharacters {
  created: ObjectId[]
  /** Characters that were stored before and have the game now. */
  linked: ObjectId[]
  /** Links of mug shots that could not be copied. */
  failedImages: readonly string[]
}

/** Deletes mug shots of characters that another process created meanwhile; a renamed character keeps its own. */
async function deleteUnused({ db, storage }: SaveDeps, superseded: readonly Newcomer[]): Promise<void> {
  const ids = superseded.map(({ _id }) => _id)
  const stored = await mapByIds(db.characters, ids, { _id: 1 })
  const unused = superseded
    .filter(({ _id }) => !stored.has(_id.toHexString()))
    .flatMap(({ mugShot }) => (mugShot && storage.keyOf(mugShot)) || [])
  if (unused.length > 0) await storage.delete(unused)
}

/**
 * Stores the characters of an entry: known characters are given the game, new ones are created with their mug shots.
 * Repeating it changes nothing more. New characters are created one entry after another in a process, so that two games of
 * a series that are written at once share them; where an entry takes over a minute, their unique slugs decide.
 * @throws StorageError, or the signal's reason
 */
export async function saveSourceCharacters(
  deps: SaveDeps,
  { gameId, resolved, signal }: SaveInput,
): Promise<SavedCharacters> {
  const prepared = await copyMugShots(deps, { gameId, resolved, signal })
  const write = () => writeSourceCharacters(deps, { gameId, prepared, signal })
  const isKnown = prepared.newcomers.length === 0
  const { created, linked, superseded } = isKnown
    ? await write()
    : await deps.queue.run('source characters', write, { maxWaitMs: CHARACTERS_MAX_WAIT_MS })

  await deleteUnused(deps, superseded)
  return { created: created.map(({ _id }) => _id), linked, failedImages: prepared.failedImages }
}
