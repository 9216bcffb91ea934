import type { ClientSession, ObjectId } from 'mongodb'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { CatalogueDeps } from '../deps.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import { changeGame, type GameChanges } from './change-game.ts'
import { entryChanges, type Writes } from './entry-changes.ts'
import { insertGame } from './insert-game.ts'
import { listAchievements, listLinkedIds, type SourceId } from './linked-ids.ts'

interface EntryWrite {
  gameId: ObjectId
  /** An entry with the keys of its copied images in its fields. */
  resolved: ResolvedEntry
  session: ClientSession
}

/** Writes an entry of a source to a game. */
export async function linkEntry(
  deps: Pick<CatalogueDeps, 'db'>,
  { gameId, resolved, writes, session }: EntryWrite & { writes: Writes },
): Promise<void> {
  await changeGame(deps, gameId, (game) => ({ $set: entryChanges(game, resolved, writes) }), { session })
}

/** Creates the game of an entry. */
export async function createGame(deps: Pick<CatalogueDeps, 'db' | 'clock'>, { gameId, resolved, session }: EntryWrite) {
  const fields = { ...entryChanges(null, resolved), name: resolved.fields.name }
  await insertGame(deps, { ...fields, _id: gameId }, { session })
}

/** Removes the entry of a source from a game. A game without this link stays as it is. */
export async function unlinkEntry(
  deps: Pick<CatalogueDeps, 'db'>,
  { gameId, source, id, session }: Pick<EntryWrite, 'gameId' | 'session'> & SourceId,
): Promise<void> {
  function withoutEntry(game: GameDocument): GameChanges | null {
    if (!listLinkedIds(game, source).includes(id)) return null
    if (source !== 'ra') return { $unset: [source] }
    return { $set: { retroachievements: listAchievements(game).filter(({ gameId: set }) => String(set) !== id) } }
  }
  await changeGame(deps, gameId, withoutEntry, { session })
}
