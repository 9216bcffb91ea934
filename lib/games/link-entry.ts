import type { GameDocument } from '../db/collections/games.ts'
import { duplicateKeyField } from '../db/duplicate-key.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import { changeGame } from './change-game.ts'
import type { GamesDeps } from './deps.ts'
import { entryChanges, type Writes } from './entry-changes.ts'
import { fencingFields, fencingFilter } from './fencing-token.ts'
import { findLinkedGame } from './find-linked-game.ts'
import { findOtherLink } from './linked-ids.ts'

interface LinkEntryInput {
  /** As its caller read it; it is read again only where it has changed since. */
  game: GameDocument
  /** Entry whose fields hold the addresses of its copied images. */
  resolved: ResolvedEntry
  writes: Writes
  /** Fencing token of the lease under which the game is written. */
  fencingToken?: number | undefined
}

/**
 * `linked-elsewhere`: the game `name` has another entry of the source, `id`. `owned`: the game `owner` has this entry.
 * `superseded`: a later holder of the source's lease claimed the game. Nothing is written but with `written`.
 */
type LinkedEntry =
  | { outcome: 'written'; game: GameDocument }
  | { outcome: 'linked-elsewhere'; name: string; id: string }
  | { outcome: 'owned'; owner: GameDocument }
  | { outcome: 'gone' }
  | { outcome: 'superseded' }

const isOwned = (error: unknown) => ['igdb.gameId', 'vndb.vnId'].includes(duplicateKeyField(error) ?? '')

/** Writes an entry of a source to a game of the catalogue, unless the one or the other is linked elsewhere. */
export async function linkEntry(deps: Pick<GamesDeps, 'db'>, input: LinkEntryInput): Promise<LinkedEntry> {
  const { game: loaded, resolved, writes, fencingToken } = input
  const { source, id } = resolved
  const gameId = loaded._id

  try {
    const game = await changeGame(
      deps,
      gameId,
      (stored) =>
        findOtherLink(stored, resolved) === undefined
          ? { $set: { ...entryChanges(stored, resolved, writes), ...fencingFields(stored, source, fencingToken) } }
          : null,
      { filter: fencingFilter(source, fencingToken), loaded },
    )
    if (game !== null) {
      const other = findOtherLink(game, resolved)
      return other === undefined
        ? { outcome: 'written', game }
        : { outcome: 'linked-elsewhere', name: game.name, id: other }
    }
  } catch (error) {
    if (!isOwned(error)) throw error
    const owner = await findLinkedGame(deps, { source, id })
    // No other owner: it lost the entry just now.
    return owner === null || owner._id.equals(gameId) ? await linkEntry(deps, input) : { outcome: 'owned', owner }
  }
  const stored = await deps.db.games.findOne({ _id: gameId }, { projection: { _id: 1 } })
  return { outcome: stored === null ? 'gone' : 'superseded' }
}
