import { ObjectId } from 'mongodb'
import type { Source } from '#lib/contract/sources'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { LINK_FIELDS, linkFilter, listLinkedIds } from '../../catalogue/games/linked-ids.ts'
import type { PlatformFinder } from '../../catalogue/platforms/find-platforms.ts'
import { MATCH_FIELDS, type MatchedGame } from '../../matching/match.ts'
import type { ConflictsDeps } from '../deps.ts'
import { isAboutEntries } from '../states.ts'
import type { HandedEntry } from './read-entries.ts'

export type StandingGame = MatchedGame & Pick<GameDocument, keyof typeof LINK_FACTS>
export const LINK_FACTS = { ...LINK_FIELDS, isStopParsing: 1 } as const

/** An entry with what is stored about it. */
export interface StandingEntry extends Pick<HandedEntry, 'externalId' | 'entryHash' | 'entries'> {
  record: ConflictDocument | null
  /** The linked game; for `hltb` the game of the conflict. */
  game: StandingGame | null
  /** The entry as its record stores it. */
  fields: Pick<ConflictDocument, 'entryHash' | 'externalName' | 'externalData' | 'entries'>
}

/** Long fields that no outcome depends on. */
const NOT_READ = { 'candidates.breakdown': 0, entries: 0, externalData: 0 } as const

/** Reads what is stored about entries, with one query for their records and one for their games. */
export async function loadStandings(
  { db }: Pick<ConflictsDeps, 'db'>,
  { source, toPlatformIds }: { source: Source; toPlatformIds: PlatformFinder },
  handed: readonly HandedEntry[],
): Promise<StandingEntry[]> {
  const isOfGames = isAboutEntries(source)
  const ids = handed.map(({ externalId }) => externalId)
  const filter = isOfGames ? { _id: { $in: ids.map((id) => new ObjectId(id)) } } : linkFilter(source, ids)
  const [records, games] = await Promise.all([
    db.conflicts.find({ source, externalId: { $in: ids } }, { projection: NOT_READ }).toArray(),
    db.games
      .find<StandingGame>(filter, { projection: { ...MATCH_FIELDS, ...LINK_FACTS } })
      .sort({ _id: 1 })
      .toArray(),
  ])
  const idsOf = (game: StandingGame) => (isOfGames ? [game._id.toHexString()] : listLinkedIds(game, source))

  return handed.map(({ externalId, entryHash, subject, platforms, entries }) => {
    const record = records.find((stored) => stored.externalId === externalId) ?? null
    const linked = games.filter((game) => idsOf(game).includes(externalId))
    const game = linked.find(({ _id }) => record?.winner?.equals(_id)) ?? linked[0] ?? null
    const fields =
      subject === null
        ? { entryHash, externalName: game?.name ?? '', entries }
        : { entryHash, externalName: subject.name, externalData: { ...subject, platformIds: toPlatformIds(platforms) } }
    return { externalId, entryHash, entries, record, game, fields }
  })
}
