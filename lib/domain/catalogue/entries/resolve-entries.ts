import type { ObjectId } from 'mongodb'
import { isEmpty, withoutEmpty } from '#lib/base/values/without-empty'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { Database } from '#lib/infrastructure/db/connect'
import type { SourceCharacter, SourceEntry, SourceGame, SourceParts } from '#lib/infrastructure/sources/entries'
import type { GameValues } from '../games/insert-game.ts'
import { findIgdbGames } from '../games/linked-ids.ts'
import { findPlatforms, type PlatformFinder } from '../platforms/find-platforms.ts'

interface EntriesDeps {
  db: Pick<Database, 'games' | 'platforms'>
}

export type Sourced = { [N in keyof SourceParts]: { source: N; part: SourceParts[N] } }[keyof SourceParts]

/** The fields of a game that a source may fill, ready to be stored. Unknown fields are absent. */
type SourceFields = Omit<GameValues, 'isCustom' | 'isStopParsing' | 'igdb' | 'vndb' | 'hltb' | 'retroachievements'>

export type ResolvedEntry = Sourced & {
  /** The id as in `conflicts.externalId`. */
  id: string
  fields: SourceFields
  /** Addresses on the source's image host. */
  images: SourceGame['images']
  characters: readonly SourceCharacter[]
}

type IgdbGames = ReadonlyMap<number, ObjectId>
type Relations = NonNullable<GameDocument['relatedGames']>

const distinct = <T>(list: readonly T[]): T[] => [...new Set(list)]

function relationsIn(found: IgdbGames, { related: { parent_game, ...lists } }: SourceGame, gameId: number): Relations {
  const parent = parent_game === gameId || parent_game === undefined ? undefined : found.get(parent_game)
  const findOthers = (ids: readonly number[]) =>
    distinct(ids).flatMap((id) => (id === gameId ? [] : (found.get(id) ?? [])))
  const relations = Object.entries(lists).map(([relation, ids]) => [relation, findOthers(ids)])
  return withoutEmpty({ ...(parent && { parent_game: parent }), ...Object.fromEntries(relations) })
}

function toFields({ id, game }: SourceEntry, toPlatformIds: PlatformFinder, related: IgdbGames): SourceFields {
  const { name, fields, releases, multiplayerModes } = game
  const release_dates = releases.flatMap(({ platform, ...release }) => {
    const [platformId] = toPlatformIds([platform])
    return platformId === undefined ? [] : [{ ...release, platformId }]
  })
  const multiplayer_modes = multiplayerModes.flatMap(({ platform, flags }): Record<string, unknown>[] => {
    if (platform === undefined) return [flags]
    // A mode without a platform is one of all platforms, so a mode of a missing platform is left out.
    const [platformId] = toPlatformIds([platform])
    return platformId === undefined ? [] : [{ ...flags, platformId }]
  })

  return {
    ...withoutEmpty({
      ...fields,
      platformIds: toPlatformIds(distinct(game.platforms)),
      release_dates,
      multiplayer_modes: multiplayer_modes.filter((mode) => !isEmpty(mode)),
      relatedGames: relationsIn(related, game, Number(id)),
    }),
    name,
  }
}

/**
 * Converts up to 100 entries of one source to fields of the catalogue, with one query for the platforms of all entries and
 * one for their related games. The result lacks references that the catalogue does not have.
 */
export async function resolveEntries(deps: EntriesDeps, entries: readonly SourceEntry[]): Promise<ResolvedEntry[]> {
  const [first] = entries
  if (first === undefined) return []
  const platformIds = entries.flatMap(({ game: { platforms, releases, multiplayerModes } }) => [
    ...platforms,
    ...[...releases, ...multiplayerModes].flatMap(({ platform }) => platform ?? []),
  ])
  const [toPlatformIds, related] = await Promise.all([
    findPlatforms(deps, first.source, platformIds),
    findIgdbGames(
      deps,
      entries.flatMap(({ game }) => Object.values(game.related).flat()),
    ),
  ])

  return entries.map((entry) => {
    const { game, subject: _, ...sourced } = entry
    return { ...sourced, fields: toFields(entry, toPlatformIds, related), images: game.images }
  })
}
