import type { RequestsDeps } from '../deps.ts'
import type { RequestRow } from '../to-wire.ts'

/** Tells search engines of the page of a game that an approval made by hand. Never rejects. */
export async function announceNewGame(
  { db, config, indexNow, log }: Pick<RequestsDeps, 'db' | 'config' | 'indexNow' | 'log'>,
  { kind, action, resultId: gameId }: Pick<RequestRow, 'kind' | 'action' | 'resultId'>,
): Promise<void> {
  if (kind !== 'game' || action !== 'add' || !gameId) return
  // A game with an IGDB link was parsed, or was there already and found by that link.
  const filter = { _id: gameId, isCustom: true, 'igdb.gameId': null }
  try {
    const game = await db.games.findOne(filter, { projection: { slug: 1 } })
    if (game !== null) await indexNow.submit(`${config.frontUrl}/games/${game.slug}`)
  } catch (error) {
    log.warn({ err: error, gameId }, 'search engines could not be notified of a new game')
  }
}
