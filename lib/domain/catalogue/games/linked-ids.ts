import type { ClientSession, Filter, ObjectId } from 'mongodb'
import { SOURCE_POLICIES, type Source } from '#lib/contract/sources'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { CatalogueDeps } from '../deps.ts'

type Linked = Pick<GameDocument, 'igdb' | 'vndb' | 'hltb' | 'retroachievements'>

/** Lists the achievement sets of a game, without nulls that another program may have stored. */
export const listAchievements = ({ retroachievements }: Pick<GameDocument, 'retroachievements'>) =>
  Array.isArray(retroachievements) ? retroachievements.filter((achievement) => achievement !== null) : []

interface StoredLink {
  path: string
  /** Converts an id as in `conflicts.externalId` to the stored one. */
  toStored(id: string): number | string
  list(game: Linked): readonly unknown[]
}

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

/** Lists the linked entries of a source, by ids as in `conflicts.externalId`. A game may have several of RetroAchievements. */
export const listLinkedIds = (game: Linked, source: Source): string[] =>
  STORED_LINKS[source].list(game).flatMap((id) => (typeof id === 'number' || typeof id === 'string' ? String(id) : []))

/** The fields of a stored game that hold its links. */
export const LINK_FIELDS = { igdb: 1, vndb: 1, hltb: 1, retroachievements: 1 } as const

/** Matches the games that are linked to any of these entries. */
export const linkFilter = (source: Source, ids: readonly string[]): Filter<GameDocument> => {
  const { path, toStored } = STORED_LINKS[source]
  return { [path]: { $in: ids.map(toStored) } }
}

/** Finds another linked entry of the source, if a game may have only one. */
export const findOtherLink = (game: Linked, { source, id }: { source: Source; id: string }): string | undefined =>
  SOURCE_POLICIES[source].entriesPerGame === 'one'
    ? listLinkedIds(game, source).find((linked) => linked !== id)
    : undefined

/** True when a game may be linked to entries of a source. Some sources link no game whose only link is one to VNDB. */
export const isLinkable = (game: Linked, source: Source): boolean =>
  SOURCE_POLICIES[source].linksVndbGames ||
  listLinkedIds(game, 'vndb').length === 0 ||
  listLinkedIds(game, 'igdb').length > 0

/** Sources whose entries belong to at most one game. */
export type ExclusiveSource = {
  [S in Source]: (typeof SOURCE_POLICIES)[S]['isExclusive'] extends true ? S : never
}[Source]

export const isExclusive = (source: Source): source is ExclusiveSource => SOURCE_POLICIES[source].isExclusive

export interface SourceId {
  source: Source
  /** The id as in `conflicts.externalId`. */
  id: string
}

/** Finds the game that is linked to an entry of a source, the oldest when there are several. */
export async function findLinkedGame(
  { db }: Pick<CatalogueDeps, 'db'>,
  { source, id, session }: SourceId & { session?: ClientSession | undefined },
): Promise<GameDocument | null> {
  return await db.games.findOne(linkFilter(source, [id]), { sort: { _id: 1 }, ...(session && { session }) })
}

/** Finds the games that are linked to entries of IGDB, by the ids of the entries. */
export async function findIgdbGames(
  { db }: { db: Pick<CatalogueDeps['db'], 'games'> },
  ids: readonly number[],
  options: { session?: ClientSession } = {},
): Promise<ReadonlyMap<number, ObjectId>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const filter = { 'igdb.gameId': { $in: distinct } }
  const rows = await db.games
    .find<{ _id: ObjectId; igdb: { gameId: number } }>(filter, { projection: { 'igdb.gameId': 1 }, ...options })
    .toArray()
  return new Map(rows.map(({ _id, igdb }) => [igdb.gameId, _id]))
}
