import type { ClientSession, ObjectId } from 'mongodb'
import type { GameDocument } from '../db/collections/games.ts'
import { duplicateKeyField } from '../db/duplicate-key.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import { changeGame } from './change-game.ts'
import type { GamesDeps } from './deps.ts'
import { entryChanges, type Writes } from './entry-changes.ts'
import { fencingFields, fencingFilter } from './fencing-token.ts'
import { findLinkedGame } from './find-linked-game.ts'
import { listLinkedIds } from './linked-ids.ts'

interface Link {
  gameId: ObjectId
  /** With the addresses of its copied images among its fields. */
  resolved: ResolvedEntry
  writes: Writes
  /** Of the lease under which it is written. */
  fence?: number | undefined
  session?: ClientSession | undefined
}

/**
 * `linked-elsewhere`: the game `name` has another entry of the source, `id`. `owned`: the game `name` has this entry.
 * `fenced`: a later holder of the source's lease wrote the game. Nothing is written but with `written`.
 */
export type Linked =
  | { outcome: 'written'; game: GameDocument }
  | { outcome: 'linked-elsewhere'; name: string; id: string }
  | { outcome: 'owned'; name: string }
  | { outcome: 'gone' }
  | { outcome: 'fenced' }

/** RetroAchievements has an entry for each console. */
const otherLinkOf = (game: GameDocument, { source, id }: ResolvedEntry): string | undefined =>
  source === 'ra' ? undefined : listLinkedIds(game, source).find((linked) => linked !== id)

const isExclusive = ({ source }: ResolvedEntry) => source === 'igdb' || source === 'vndb'
const isOwned = (error: unknown) => ['igdb.gameId', 'vndb.vnId'].includes(duplicateKeyField(error) ?? '')

/** Writes an entry of a source to a game of the catalogue, unless the one or the other is linked elsewhere. */
export async function linkEntry(deps: Pick<GamesDeps, 'db'>, link: Link): Promise<Linked> {
  const { gameId, resolved, writes, fence, session } = link
  const { source, id } = resolved
  const findOwner = async (): Promise<GameDocument | null> => {
    const owner = await findLinkedGame(deps, { source, id, session })
    return owner?._id.equals(gameId) ? null : owner
  }
  if (session !== undefined && isExclusive(resolved)) {
    // The unique index would end the transaction.
    const owner = await findOwner()
    if (owner !== null) return { outcome: 'owned', name: owner.name }
  }

  try {
    const game = await changeGame(
      deps,
      gameId,
      (stored) =>
        otherLinkOf(stored, resolved) === undefined
          ? { $set: { ...entryChanges(stored, resolved, writes), ...fencingFields(stored, source, fence) } }
          : null,
      { filter: fencingFilter(source, fence), session },
    )
    if (game !== null) {
      const other = otherLinkOf(game, resolved)
      return other === undefined
        ? { outcome: 'written', game }
        : { outcome: 'linked-elsewhere', name: game.name, id: other }
    }
  } catch (error) {
    if (session !== undefined || !isOwned(error)) throw error
    const owner = await findOwner()
    // None: it lost the entry just now.
    return owner === null ? await linkEntry(deps, link) : { outcome: 'owned', name: owner.name }
  }
  const stored = await deps.db.games.findOne({ _id: gameId }, { projection: { _id: 1 }, ...(session && { session }) })
  return { outcome: stored === null ? 'gone' : 'fenced' }
}
