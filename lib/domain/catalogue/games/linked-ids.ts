import type { ClientSession } from 'mongodb'
import { SOURCE_POLICIES, type Source } from '#lib/contract/sources'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { CatalogueDeps } from '../deps.ts'

type Linked = Pick<GameDocument, 'igdb' | 'vndb' | 'hltb' | 'retroachievements'>

/** The entries of RetroAchievements that a game has; another program may have stored null, or nulls among them. */
export const listAchievements = ({ retroachievements }: Pick<GameDocument, 'retroachievements'>) =>
  Array.isArray(retroachievements) ? retroachievements.filter((each) => each !== null) : []

interface StoredLink {
  /** The path of the id in a stored game. */
  path: string
  /** The id as it is stored, of one as in `conflicts.externalId`. */
  toStored(id: string): number | string
  /** Other programs may have stored anything. */
  list(game: Linked): readonly unknown[]
}

/** Where a game holds the ids of its entries. */
const STORED_LINKS: Record<Source, StoredLink> = {
  igdb: { path: 'igdb.gameId', toStored: Number, list: ({ igdb }) => [igdb?.gameId] },
  vndb: { path: 'vndb.vnId', toStored: String, list: ({ vndb }) => [vndb?.vnId] },
  hltb: { path: 'hltb.hltbId', toStored: String, list: ({ hltb }) => [hltb?.hltbId] },
  ra: {
    path: 'retroachievements.gameId',
    toStored: Number,
    list: (game) => listAchievements(game).map(({ gameId }) => gameId),
  },
}

/** The ids of a source's entries that a game is linked to, as in `conflicts.externalId`; more than one where a source has an entry for each console. */
export const listLinkedIds = (game: Linked, source: Source): string[] =>
  STORED_LINKS[source].list(game).flatMap((id) => (typeof id === 'number' || typeof id === 'string' ? String(id) : []))

/** Finds another entry of the source that a game is linked to, where one is all that it may have. */
export const findOtherLink = (game: Linked, { source, id }: { source: Source; id: string }): string | undefined =>
  SOURCE_POLICIES[source].entriesPerGame === 'one'
    ? listLinkedIds(game, source).find((linked) => linked !== id)
    : undefined

/** A game comes from VNDB when it is linked there, and not to IGDB. */
const isVndbGame = (game: Linked): boolean =>
  listLinkedIds(game, 'vndb').length > 0 && listLinkedIds(game, 'igdb').length === 0

/** Whether a game may be linked to entries of a source at all. */
export const isLinkable = (game: Linked, source: Source): boolean =>
  SOURCE_POLICIES[source].linksVndbGames || !isVndbGame(game)

/** Sources of which one game at most has an entry. */
export type ExclusiveSource = {
  [S in Source]: (typeof SOURCE_POLICIES)[S]['isExclusive'] extends true ? S : never
}[Source]

export const isExclusive = (source: Source): source is ExclusiveSource => SOURCE_POLICIES[source].isExclusive

interface SourceId {
  source: Source
  /** As in `conflicts.externalId`. */
  id: string
}

/** Finds the game that is linked to an entry of a source; the oldest where the source lets several be. */
export async function findLinkedGame(
  { db }: Pick<CatalogueDeps, 'db'>,
  { source, id, session }: SourceId & { session?: ClientSession | undefined },
): Promise<GameDocument | null> {
  const { path, toStored } = STORED_LINKS[source]
  return await db.games.findOne({ [path]: toStored(id) }, { sort: { _id: 1 }, ...(session && { session }) })
}
