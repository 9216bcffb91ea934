import { ObjectId } from 'mongodb'
import type { Source } from '#lib/contract/sources'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { LINK_FIELDS, linkFilter, listLinkedIds } from '../../catalogue/games/linked-ids.ts'
import { MATCH_FIELDS, type MatchedGame } from '../../matching/match.ts'
import type { ConflictsDeps } from '../deps.ts'
import { isAboutEntries } from '../states.ts'

/** A game as far as an entry is compared with it and linked to it. */
export type StandingGame = MatchedGame & Pick<GameDocument, keyof typeof LINK_FACTS>
export const LINK_FACTS = { ...LINK_FIELDS, isStopParsing: 1 } as const

/** What is stored about an entry. */
export interface Standing {
  record: ConflictDocument | null
  /** The linked game; for `hltb` the game of the conflict. */
  game: StandingGame | null
}

/** Long fields that no outcome depends on. */
const NOT_READ = { 'candidates.breakdown': 0, entries: 0, externalData: 0 } as const

/** Reads what is stored about entries, with one query for their records and one for their games. */
export async function loadStandings(
  { db }: Pick<ConflictsDeps, 'db'>,
  source: Source,
  ids: readonly string[],
): Promise<(id: string) => Standing> {
  const isOfGames = isAboutEntries(source)
  const filter = isOfGames ? { _id: { $in: ids.map((id) => new ObjectId(id)) } } : linkFilter(source, ids)
  const [records, games] = await Promise.all([
    db.conflicts.find({ source, externalId: { $in: [...ids] } }, { projection: NOT_READ }).toArray(),
    db.games
      .find<StandingGame>(filter, { projection: { ...MATCH_FIELDS, ...LINK_FACTS } })
      .sort({ _id: 1 })
      .toArray(),
  ])
  const idsOf = (game: StandingGame) => (isOfGames ? [game._id.toHexString()] : listLinkedIds(game, source))
  const recordsById = new Map(records.map((record) => [record.externalId, record]))
  const gamesById = new Map<string, StandingGame[]>()
  for (const game of games) for (const id of idsOf(game)) gamesById.set(id, [...(gamesById.get(id) ?? []), game])
  return (id) => {
    const record = recordsById.get(id) ?? null
    const linked = gamesById.get(id) ?? []
    const chosen = linked.find(({ _id }) => record?.winner?.equals(_id))
    return { record, game: chosen ?? linked[0] ?? null }
  }
}
