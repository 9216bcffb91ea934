import { type Collection, ObjectId } from 'mongodb'
import { GAME_FIELDS, type GameFieldsMerged } from '../../contract/proposals/game-fields.ts'
import type { GamePayload } from '../../contract/proposals/game-payload.ts'
import { findByIds } from '../../db/find-by-ids.ts'
import type { GameFields } from '../../games/change-game.ts'
import { toDateParts } from '../../values/calendar-day.ts'
import { distinctIds } from '../../values/distinct-ids.ts'
import { withoutEmpty } from '../../values/without-empty.ts'
import { withoutNullish } from '../../values/without-nullish.ts'
import type { RequestsDeps } from '../deps.ts'
import type { Proposal } from './plan-types.ts'

/** Finds the entries of a collection with these ids, with one query at most. @returns their ids, by their hex */
export async function findExisting(
  collection: Pick<Collection<{ _id: ObjectId }>, 'find'>,
  hexes: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, ObjectId>> {
  const ids = [...new Set(hexes)].flatMap((hex) => (hex === undefined ? [] : new ObjectId(hex)))
  const rows = await findByIds<{ _id: ObjectId }>(collection, ids, { _id: 1 })
  return new Map(rows.map(({ _id }) => [_id.toHexString(), _id]))
}

type ExistingIds = ReadonlyMap<string, ObjectId>

const WORLDWIDE = 8

const pickExisting = (found: ExistingIds, hexes: readonly string[] = []): ObjectId[] =>
  distinctIds(hexes.flatMap((hex) => found.get(hex) ?? []))

function toReleases({ release_dates = [] }: GamePayload, platforms: ExistingIds) {
  return release_dates.flatMap(({ date, platformId: hex, region = WORLDWIDE }) => {
    const platformId = platforms.get(hex)
    return platformId === undefined ? [] : [{ date, ...toDateParts(date), platformId, region }]
  })
}

function toMultiplayerModes({ multiplayer_modes = [] }: GamePayload, platforms: ExistingIds) {
  return multiplayer_modes.flatMap(({ platformId: hex, ...flags }): Record<string, unknown>[] => {
    if (hex === undefined) return [withoutNullish(flags)]
    const platformId = platforms.get(hex)
    return platformId === undefined ? [] : [{ ...withoutNullish(flags), platformId }]
  })
}

const COPIED = new Set(Object.entries(GAME_FIELDS).flatMap(([key, { merge }]) => (merge === 'copy' ? [key] : [])))

const pickCopied = (payload: GamePayload) =>
  // The names in COPIED are those of the fields that are merged so.
  Object.fromEntries(Object.entries(payload).filter(([key]) => COPIED.has(key))) as Pick<
    GamePayload,
    GameFieldsMerged<'copy'>
  >

function toFields(payload: GamePayload, platforms: ExistingIds): GameFields {
  const resolved: Pick<GameFields, GameFieldsMerged<'resolve'>> = {
    release_dates: toReleases(payload, platforms),
    platformIds: pickExisting(platforms, payload.platformIds),
    multiplayer_modes: toMultiplayerModes(payload, platforms),
  }
  return withoutEmpty({ ...withoutNullish(pickCopied(payload)), ...resolved })
}

function toRelations({ relatedGames = {}, parentGameId = '' }: GamePayload, games: ExistingIds): Proposal['relations'] {
  const lists = Object.entries(relatedGames).map(([relation, hexes]) => [relation, pickExisting(games, hexes)])
  const parent = games.get(parentGameId)
  return { ...withoutEmpty(Object.fromEntries(lists)), ...(parent && { parent_game: parent }) }
}

/**
 * Puts the picked fields of a payload in the form in which they are stored, with two queries at most. Platforms and games
 * that the catalogue lacks are left out, and so are fields that are empty then.
 */
export async function resolveProposal(
  { db }: Pick<RequestsDeps, 'db'>,
  { gameId, payload }: { gameId: ObjectId; payload: GamePayload },
): Promise<Proposal> {
  const { platformIds = [], release_dates = [], multiplayer_modes = [], relatedGames = {}, parentGameId } = payload
  const parts = [...release_dates, ...multiplayer_modes]
  const [platforms, games] = await Promise.all([
    findExisting(db.platforms, [...platformIds, ...parts.map(({ platformId }) => platformId)]),
    findExisting(db.games, [...Object.values(relatedGames).flat(), parentGameId]),
  ])
  const others = new Map([...games].filter(([, id]) => !id.equals(gameId)))

  return {
    fields: toFields(payload, platforms),
    developer: payload.developer,
    publisher: payload.publisher,
    relations: toRelations(payload, others),
  }
}
