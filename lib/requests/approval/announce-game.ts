import type { ObjectId } from 'mongodb'
import type { RequestsDeps } from '../deps.ts'

/** Tells search engines of the page of a new game. Never rejects. */
export async function announceGame(
  { db, config, indexNow, log }: Pick<RequestsDeps, 'db' | 'config' | 'indexNow' | 'log'>,
  gameId: ObjectId,
): Promise<void> {
  try {
    const game = await db.games.findOne({ _id: gameId }, { projection: { slug: 1 } })
    if (game !== null) await indexNow.submit([`${config.frontUrl}/games/${game.slug}`])
  } catch (error) {
    log.warn({ err: error, gameId }, 'search engines could not be told of a new game')
  }
}
