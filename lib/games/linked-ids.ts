import type { Source } from '../contract/sources.ts'
import type { GameDocument } from '../db/collections/games.ts'

type Linked = Pick<GameDocument, 'igdb' | 'vndb' | 'hltb' | 'retroachievements'>

/** The entries of RetroAchievements that a game has; another program may have stored null, or nulls among them. */
export const listAchievements = ({ retroachievements }: Pick<GameDocument, 'retroachievements'>) =>
  Array.isArray(retroachievements) ? retroachievements.filter((each) => each !== null) : []

function storedIds(game: Linked, source: Source): unknown[] {
  if (source === 'igdb') return [game.igdb?.gameId]
  if (source === 'vndb') return [game.vndb?.vnId]
  if (source === 'hltb') return [game.hltb?.hltbId]
  return listAchievements(game).map(({ gameId }) => gameId)
}

/** The ids of a source's entries that a game is linked to, as in `conflicts.externalId`; more than one for `ra` alone. */
export const listLinkedIds = (game: Linked, source: Source): string[] =>
  storedIds(game, source).flatMap((id) => (typeof id === 'number' || typeof id === 'string' ? String(id) : []))

/** Another entry of the source that a game has; RetroAchievements has an entry for each console. */
export const findOtherLink = (game: Linked, { source, id }: { source: Source; id: string }): string | undefined =>
  source === 'ra' ? undefined : listLinkedIds(game, source).find((linked) => linked !== id)

/** Whether a game comes from VNDB: it is linked there, and not to IGDB. */
export const isVndbGame = (game: Pick<GameDocument, 'igdb' | 'vndb'>): boolean =>
  listLinkedIds(game, 'vndb').length > 0 && listLinkedIds(game, 'igdb').length === 0

/** Sources of which one game at most has an entry. */
export type ExclusiveSource = 'igdb' | 'vndb'

export const isExclusive = (source: Source): source is ExclusiveSource => source === 'igdb' || source === 'vndb'
