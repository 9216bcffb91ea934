import type { Source } from '../contract/sources.ts'
import type { GameDocument } from '../db/collections/games.ts'
import { changeGame, type GameChanges } from './change-game.ts'
import type { GamesDeps } from './deps.ts'
import { fencingFields, fencingFilter } from './fencing-token.ts'
import { listAchievements, listLinkedIds } from './linked-ids.ts'

interface UnlinkEntryInput {
  /** As its caller read it; it is read again only where it has changed since. */
  game: GameDocument
  source: Source
  /** As in `conflicts.externalId`. */
  id: string
  /** Fencing token of the lease under which the game is written. */
  fencingToken?: number | undefined
}

function withoutPart(game: GameDocument, source: Source, id: string): GameChanges {
  if (source !== 'ra') return { $unset: [source] }
  const others = listAchievements(game).filter(({ gameId }) => String(gameId) !== id)
  return others.length > 0 ? { $set: { retroachievements: others } } : { $unset: ['retroachievements'] }
}

/**
 * Takes an entry of a source from a game that is linked to it; a game without the entry stays as it is.
 * @returns the game; null when it is gone, or a later holder of the source's lease claimed it
 */
export async function unlinkEntry(
  deps: Pick<GamesDeps, 'db'>,
  { game: loaded, source, id, fencingToken }: UnlinkEntryInput,
): Promise<GameDocument | null> {
  return await changeGame(
    deps,
    loaded._id,
    (game) => {
      const isLinked = listLinkedIds(game, source).includes(id)
      // The token is written all the same: an earlier holder that is still at work must not link it again.
      if (!isLinked && fencingToken === undefined) return null
      const changes = isLinked ? withoutPart(game, source, id) : {}
      return { ...changes, $set: { ...changes.$set, ...fencingFields(game, source, fencingToken) } }
    },
    { filter: fencingFilter(source, fencingToken), loaded },
  )
}
