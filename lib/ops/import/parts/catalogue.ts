import type { Document } from 'mongodb'
import { buildCharacterKeys } from '../../../domain/catalogue/characters/insert-characters.ts'
import { buildGameKeys } from '../../../domain/catalogue/games/insert-game.ts'
import type { CharacterDocument } from '../../../infrastructure/db/collections/characters.ts'
import type { GameDocument } from '../../../infrastructure/db/collections/games.ts'
import type { ImportRun, SiteDocument } from '../import-run.ts'
import { objectsIn, toDate, toId, toIds, toNumber, toText, toTimes } from '../site-values.ts'
import type { Part, Plan } from '../take-part.ts'

const MS = 1_000

/** Reads a release in Unix seconds, as such or as a date. */
function toSeconds(value: unknown): number | undefined {
  const date = typeof value === 'number' ? null : toDate(value)
  return (date ? Math.floor(date.getTime() / MS) : toNumber(value)) ?? undefined
}

/** Converts the dates of a source's part; `convertId` the ids. Undefined for a part without an id. */
function toPart(part: unknown, idField: string, convertId: (id: unknown) => unknown): Document | undefined {
  const [fields] = objectsIn([part])
  const id = convertId(fields?.[idField])
  if (fields === undefined || id === null) return undefined
  const dated = Object.entries(fields).map(([name, value]) => [name, (name.endsWith('At') && toDate(value)) || value])
  return { ...Object.fromEntries(dated), [idField]: id }
}

const toVnId = (id: unknown) => toText(typeof id === 'number' ? `v${id}` : id)
const toHltbId = (id: unknown) => toText(typeof id === 'number' ? String(id) : id)

const mapIds = (value: unknown) => (Array.isArray(value) ? value.map((id) => toId(id) ?? id) : (toId(value) ?? value))

/** Converts ids, dates and parts of sources of a game; its other fields stay as they are. */
function toGame(run: ImportRun, document: SiteDocument) {
  const onPlatform = (row: Record<string, unknown>) => ({
    ...row,
    platformId: run.toPlatformId(row.platformId) ?? row.platformId,
  })
  const { platformIds, release_dates, multiplayer_modes, relatedGames, retroachievements } = document
  const platforms = Array.isArray(platformIds) ? platformIds.flatMap((id) => run.toPlatformId(id) ?? []) : undefined
  const releases = objectsIn(release_dates).map((row) => ({ ...onPlatform(row), date: toSeconds(row.date) }))
  const achievements = objectsIn(retroachievements).flatMap((row) => {
    const [gameId, consoleId] = [toNumber(row.gameId), toNumber(row.consoleId)]
    return gameId === null || consoleId === null ? [] : { ...row, gameId, consoleId }
  })
  const related = Object.entries(Object(relatedGames)).map(([relation, ids]) => [relation, mapIds(ids)])
  return {
    ...document,
    name: toText(document.name) ?? '',
    slug: toText(document.slug) ?? '',
    first_release: toSeconds(document.first_release),
    platformIds: platforms && toIds(platforms),
    release_dates: release_dates && releases,
    multiplayer_modes: multiplayer_modes && objectsIn(multiplayer_modes).map(onPlatform),
    relatedGames: relatedGames && Object.fromEntries(related),
    igdb: toPart(document.igdb, 'gameId', toNumber),
    vndb: toPart(document.vndb, 'vnId', toVnId),
    hltb: toPart(document.hltb, 'hltbId', toHltbId),
    retroachievements: retroachievements && achievements,
    ...toTimes(document),
  }
}

const toPlan = (document: SiteDocument): Plan =>
  document.name && document.slug ? { document } : { leftOut: 'it has no name or slug' }

export const GAMES: Part = {
  of: 'games',
  unique: { fields: ['slug', 'igdb.gameId', 'vndb.vnId'] },
  async plan(documents, run) {
    return documents.map((document) => {
      const game: SiteDocument = toGame(run, document)
      // The builder of keys reads documents of other programs, so it accepts any form.
      return toPlan({ ...game, ...buildGameKeys(game as GameDocument) })
    })
  },
}

export const CHARACTERS: Part = {
  of: 'characters',
  unique: { fields: ['slug'] },
  async plan(documents, run) {
    return documents.map((document) => {
      const gameIds = toIds(document.gameIds).filter((id) => !run.isLeftOut('games', id))
      const names = { name: toText(document.name) ?? '', slug: toText(document.slug) ?? '' }
      const character: SiteDocument = { ...document, ...names, gameIds, ...toTimes(document) }
      // The builder of keys reads documents of other programs, so it accepts any form.
      return toPlan({ ...character, ...buildCharacterKeys(character as CharacterDocument) })
    })
  },
}
