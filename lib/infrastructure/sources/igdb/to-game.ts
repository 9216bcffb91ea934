import { toDateParts, toIsoDay } from '#lib/base/values/calendar-day'
import { distinctNames } from '#lib/base/values/distinct-names'
import { withoutEmpty } from '#lib/base/values/without-empty'
import type { SourceGame } from '../entries.ts'
import { COMPANY_ROLES, type IgdbGame, MULTIPLAYER_FLAGS, MULTIPLAYER_KEYS, RELATIONS } from './igdb-game.ts'

const LINK_FORM = /^https?:\/\/\S+$/i

export const toLink = (url: string | undefined) => (url !== undefined && LINK_FORM.test(url) ? url : undefined)

const WORLDWIDE = 8
const LAST_REGION = 10

/** The length of a date by its format: `2017-03-03` or `2017-03`. Later formats are those of a year and its quarters. */
const DATE_LENGTHS = [10, 7]
const YEAR_LENGTH = 4

/** The distance of the year 1 from 1970. No game has a date farther away. */
const FAR_SECONDS = 62_135_596_800

export const isDate = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && Math.abs(seconds) <= FAR_SECONDS

/** Releases that have a date, in Unix seconds and as text. */
function toReleases({ release_dates }: IgdbGame): SourceGame['releases'] {
  return release_dates.flatMap(({ date, platform, release_region: region = WORLDWIDE }) => {
    if (!isDate(date) || platform === undefined) return []
    const isRegion = region >= 1 && region <= LAST_REGION
    return [{ date, ...toDateParts(date), platform, region: isRegion ? region : WORLDWIDE }]
  })
}

export function toReleased({ first_release_date: first, release_dates }: IgdbGame): string | null {
  if (!isDate(first)) return null
  const lengths = release_dates
    .filter(({ date }) => date === first)
    .map(({ date_format }) => DATE_LENGTHS[date_format ?? 0] ?? YEAR_LENGTH)
  return toIsoDay(first).slice(0, Math.max(...lengths, lengths.length > 0 ? 0 : 10))
}

const TYPES = [
  'Main Game',
  'DLC',
  'Expansion',
  'Bundle',
  'Standalone Expansion',
  'Mod',
  'Episode',
  'Season',
  'Remake',
  'Remaster',
  'Expanded Game',
  'Port',
  'Fork',
  'Pack / Addon',
  'Update',
]

const STATUSES = ['Released', 'Alpha', 'Beta', 'Early Access', 'Offline', 'Cancelled', 'Rumored', 'Delisted']

const toLetters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/** Makes a function that finds a text of IGDB in a vocabulary of the catalogue, whatever its case and spaces. */
function among(vocabulary: readonly string[]): (text: string | undefined) => string | undefined {
  const byLetters = new Map(vocabulary.map((word) => [toLetters(word), word]))
  return (text = '') => byLetters.get(toLetters(text))
}

const findType = among(TYPES)
const findStatus = among(STATUSES)

const VIDEO_FORM = /^[\w-]+$/

const links = (urls: readonly (string | undefined)[]) => [...new Set(urls.flatMap((url) => toLink(url) ?? []))]

type Company = NonNullable<SourceGame['fields']['companies']>[number]

/** Lists each company once, with all its roles in the game. */
function toCompanies({ involved_companies }: IgdbGame): Company[] {
  const companies = new Map<string, Company>()
  for (const row of involved_companies) {
    const name = row.company?.trim()
    if (!name) continue
    const roles = COMPANY_ROLES.filter((role) => row[role] === true).map((role) => [role, true])
    companies.set(name, { ...companies.get(name), name, ...Object.fromEntries(roles) })
  }
  return [...companies.values()]
}

const toMultiplayerModes = ({ multiplayer_modes }: IgdbGame): SourceGame['multiplayerModes'] =>
  multiplayer_modes.map(({ platform, ...flags }) => {
    const named = MULTIPLAYER_KEYS.map((key) => [MULTIPLAYER_FLAGS[key], flags[key]])
    return { flags: withoutEmpty(Object.fromEntries(named)), ...withoutEmpty({ platform }) }
  })

const toExternalPages = ({ external_games }: IgdbGame) =>
  external_games.flatMap(({ uid, url, external_game_source }) => {
    const id = uid?.trim()
    return !id ? [] : [{ uid: id, ...withoutEmpty({ name: external_game_source?.trim(), url: toLink(url) }) }]
  })

const toAgeRatings = ({ age_ratings }: IgdbGame) =>
  age_ratings.flatMap(({ organization, rating_category, synopsis }) =>
    organization === undefined || rating_category === undefined
      ? []
      : [{ organization, rating: rating_category, ...withoutEmpty({ synopsis: synopsis?.trim() }) }],
  )

const toVideos = ({ videos }: IgdbGame) =>
  videos.flatMap((id) => (VIDEO_FORM.test(id) ? [`https://www.youtube.com/watch?v=${id}`] : []))

function toRelated(game: IgdbGame): SourceGame['related'] {
  const relations = RELATIONS.map((relation) => [relation, game[relation]])
  return withoutEmpty({ ...Object.fromEntries(relations), parent_game: game.parent_game ?? game.version_parent })
}

export function toGame(game: IgdbGame, addressOf: (image: string) => string): SourceGame {
  const alternatives = [...game.alternative_names.map(({ name }) => name), ...game.game_localizations]

  return {
    name: game.name,
    fields: withoutEmpty({
      alternative_names: distinctNames(alternatives, [game.name]),
      type: findType(game.game_type),
      status: findStatus(game.game_status),
      versionTitle: game.version_title?.trim(),
      summary: game.summary?.trim(),
      storyline: game.storyline?.trim(),
      first_release: isDate(game.first_release_date) ? game.first_release_date : undefined,
      genres: distinctNames(game.genres),
      modes: distinctNames(game.game_modes),
      themes: distinctNames(game.themes),
      keywords: distinctNames(game.keywords),
      franchises: distinctNames([game.franchise, ...game.franchises]),
      game_engines: distinctNames(game.game_engines),
      player_perspectives: distinctNames(game.player_perspectives),
      languages: distinctNames(game.language_supports),
      companies: toCompanies(game),
      ageRatings: toAgeRatings(game),
      websites: links(game.websites),
      videos: links(toVideos(game)),
      externalPages: toExternalPages(game),
    }),
    platforms: game.platforms,
    releases: toReleases(game),
    multiplayerModes: toMultiplayerModes(game),
    related: toRelated(game),
    images: withoutEmpty({
      cover: game.cover && addressOf(game.cover),
      screenshots: game.screenshots.map(addressOf),
      artworks: game.artworks.map(addressOf),
    }),
  }
}
