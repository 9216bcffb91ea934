import type { ClientSession, ObjectId } from 'mongodb'
import type { CatalogueDeps } from '../deps.ts'
import { changeGame } from './change-game.ts'
import { listAchievements, listLinkedIds, type SourceId } from './linked-ids.ts'

/** Removes the entry of a source from a game. A game without this link stays as it is. */
export async function unlinkEntry(
  deps: Pick<CatalogueDeps, 'db'>,
  { gameId, source, id, session }: SourceId & { gameId: ObjectId; session: ClientSession },
): Promise<void> {
  await changeGame(
    deps,
    gameId,
    (game) => {
      if (!listLinkedIds(game, source).includes(id)) return null
      if (source !== 'ra') return { $unset: [source] }
      return { $set: { retroachievements: listAchievements(game).filter(({ gameId: set }) => String(set) !== id) } }
    },
    { session },
  )
}
