import { type Collection, ObjectId } from 'mongodb'
import { toDateParts } from '#lib/base/values/calendar-day'
import { distinctIds } from '#lib/base/values/distinct-ids'
import { isEmpty, withoutEmpty } from '#lib/base/values/without-empty'
import { CHARACTER_FIELDS, GAME_FIELDS, type GameFieldsMerged, type GamePayload } from '#lib/contract/index'
import { findByIds } from '#lib/infrastructure/db/find-by-ids'
import type { GameFields } from '../../catalogue/games/change-game.ts'
import type { RequestsDeps } from '../deps.ts'
import { leftOut, relatedToItself } from '../link-warnings.ts'

/** Finds the entries of a collection with these ids, with one query at most. @returns their ids, by their hex */
export async function findExisting(collection: Pick<Collection<{ _id: ObjectId }>, 'find'>, hexes: readonly string[]) {
  const ids = [...new Set(hexes)].map((hex) => new ObjectId(hex))
  const rows = await findByIds<{ _id: ObjectId }>(collection, ids, { _id: 1 })
  return new Map(rows.map(({ _id }) => [_id.toHexString(), _id]))
}

type ExistingIds = ReadonlyMap<string, ObjectId>

const LABELS = new Map(Object.entries({ ...GAME_FIELDS, ...CHARACTER_FIELDS }).map(([key, { label }]) => [key, label]))
const toLabel = (field: string) => LABELS.get(field) ?? field

export const describeMissing = (
  kind: 'game' | 'platform',
  idsOf: Readonly<Record<string, readonly string[]>>,
  found: ExistingIds,
): string[] =>
  Object.entries(idsOf).flatMap(([field, ids]) =>
    [...new Set(ids)].filter((id) => !found.has(id)).map((id) => leftOut({ kind, id, field: toLabel(field) })),
  )

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
    if (hex === undefined) return [withoutEmpty(flags)]
    const platformId = platforms.get(hex)
    return platformId === undefined ? [] : [{ ...withoutEmpty(flags), platformId }]
  })
}

const COPIED = new Set(Object.entries(GAME_FIELDS).flatMap(([key, { merge }]) => (merge === 'copy' ? [key] : [])))

const pickCopied = (payload: GamePayload) =>
  // COPIED holds the names of exactly these fields.
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
  return withoutEmpty({ ...pickCopied(payload), ...resolved })
}

function listReferences(payload: GamePayload) {
  const { platformIds = [], release_dates = [], multiplayer_modes = [], relatedGames = {}, parentGameId } = payload
  return {
    platforms: {
      platformIds,
      release_dates: release_dates.map(({ platformId }) => platformId),
      multiplayer_modes: multiplayer_modes.flatMap(({ platformId }) => platformId ?? []),
    },
    games: {
      parentGameId: parentGameId === undefined ? [] : [parentGameId],
      relatedGames: Object.values(relatedGames).flatMap((ids) => ids ?? []),
    },
  }
}

type Relations = NonNullable<GameFields['relatedGames']>

function toRelations({ relatedGames = {}, parentGameId = '' }: GamePayload, games: ExistingIds): Relations {
  const lists = Object.entries(relatedGames).map(([relation, hexes]) => [relation, pickExisting(games, hexes)])
  const parent = games.get(parentGameId)
  return { ...withoutEmpty(Object.fromEntries(lists)), ...(parent && { parent_game: parent }) }
}

/**
 * Puts the picked fields of a payload in the form in which they are stored, with two queries at most. Platforms and games
 * that the catalogue lacks become warnings, and fields that are empty then are dropped. `fields` replace what is stored, and
 * `relations` are added to it.
 */
export async function resolveProposal(
  { db }: Pick<RequestsDeps, 'db'>,
  { gameId, payload }: { gameId: ObjectId; payload: GamePayload },
) {
  const references = listReferences(payload)
  const [platforms, games] = await Promise.all([
    findExisting(db.platforms, Object.values(references.platforms).flat()),
    findExisting(db.games, Object.values(references.games).flat()),
  ])
  const gameHex = gameId.toHexString()
  const others = new Map([...games].filter(([hex]) => hex !== gameHex))
  const fields = toFields(payload, platforms)
  const relations = toRelations(payload, others)

  const { parent_game: parentGameId, ...relatedGames } = relations
  const left = new Map<string, unknown>(Object.entries({ ...fields, parentGameId, relatedGames }))
  const fieldsWithIds = { ...references.platforms, ...references.games }
  return {
    proposal: { fields, developer: payload.developer, publisher: payload.publisher, relations },
    droppedFields: Object.entries(fieldsWithIds).flatMap(([field, ids]) =>
      ids.length > 0 && isEmpty(left.get(field)) ? field : [],
    ),
    warnings: [
      ...describeMissing('platform', references.platforms, platforms),
      ...describeMissing('game', references.games, games),
      ...Object.entries(references.games).flatMap(([field, ids]) =>
        games.has(gameHex) && ids.includes(gameHex) ? relatedToItself({ field: toLabel(field) }) : [],
      ),
    ],
  }
}
