import { toDateParts, toIsoDay } from '#lib/base/values/calendar-day'
import { distinctNames } from '#lib/base/values/distinct-names'
import { withoutNullish } from '#lib/base/values/without-nullish'
import type { SourceGame } from '../entries.ts'
import { COMPANY_ROLES, type IgdbGame, MULTIPLAYER_FLAGS, MULTIPLAYER_KEYS, RELATIONS } from './igdb-game.ts'

const LINK_FORM = /^https?:\/\/\S+$/i

/** Undefined for an empty list, which is absent in the catalogue. */
export const nonEmpty = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined)

export const nonEmptyNames = (...[names, besides]: Parameters<typeof distinctNames>) =>
  nonEmpty(distinctNames(names, besides))

export const nonEmptyText = (text: string | undefined) => text?.trim() || undefined

export const toLink = (url: string | undefined) => (url !== undefined && LINK_FORM.test(url) ? url : undefined)

const WORLDWIDE = 8
const LAST_REGION = 10

/** How much of a date a format tells: `2017-03-03`, `2017-03`, or the year alone for it and its quarters. */
const DATE_LENGTHS = new Map([
  [0, 10],
  [1, 7],
  [2, 4],
  [3, 4],
  [4, 4],
  [5, 4],
  [6, 4],
])

/** About as far from 1970 as the year 1; what is farther is no date of a game. */
const FAR_SECONDS = 62_135_596_800

export const isDate = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && Math.abs(seconds) <= FAR_SECONDS

/** Releases that have a date, in Unix seconds and as text. */
function toReleases({ release_dates }: IgdbGame): SourceGame['releases'] {
  return release_dates.flatMap(({ date, platform, release_region: region = WORLDWIDE }) => {
    if (!isDate(date) || platform === undefined) return []
    return [
      {
        date,
        ...toDateParts(date),
        platform,
        region: region >= 1 && region <= LAST_REGION ? region : WORLDWIDE,
      },
    ]
  })
}

export function toReleased({ first_release_date: first, release_dates }: IgdbGame): string | null {
  if (!isDate(first)) return null
  const lengths = release_dates
    .filter(({ date }) => date === first)
    .map(({ date_format }) => DATE_LENGTHS.get(date_format ?? 0) ?? 4)
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

/** Finds IGDB's text in a vocabulary of the catalogue, whatever its spelling. A new text of IGDB is not found. */
function among(vocabulary: readonly string[]): (text: string | undefined) => string | undefined {
  const byLetters = new Map(vocabulary.map((each) => [toLetters(each), each]))
  return (text = '') => byLetters.get(toLetters(text))
}

const findType = among(TYPES)
const findStatus = among(STATUSES)

const VIDEO_FORM = /^[\w-]+$/

const links = (urls: readonly (string | undefined)[]) =>
  nonEmpty([...new Set(urls.flatMap((url) => toLink(url) ?? []))])

type Company = NonNullable<SourceGame['fields']['companies']>[number]

/** Lists each name once, with all its parts in the game. */
function toCompanies({ involved_companies }: IgdbGame): Company[] {
  const companies = new Map<string, Company>()
  for (const row of involved_companies) {
    const name = nonEmptyText(row.company)
    if (name === undefined) continue
    const roles = COMPANY_ROLES.filter((role) => row[role] === true).map((role) => [role, true])
    companies.set(name, { ...companies.get(name), name, ...Object.fromEntries(roles) })
  }
  return [...companies.values()]
}

const toMultiplayerModes = ({ multiplayer_modes }: IgdbGame): SourceGame['multiplayerModes'] =>
  multiplayer_modes.map(({ platform, ...flags }) => {
    const named = MULTIPLAYER_KEYS.map((key) => [MULTIPLAYER_FLAGS[key], flags[key]])
    return { flags: withoutNullish(Object.fromEntries(named)), ...withoutNullish({ platform }) }
  })

const toExternalPages = ({ external_games }: IgdbGame) =>
  external_games.flatMap(({ uid, url, external_game_source }) => {
    const id = nonEmptyText(uid)
    return id === undefined
      ? []
      : [{ uid: id, ...withoutNullish({ name: nonEmptyText(external_game_source), url: toLink(url) }) }]
  })

const toAgeRatings = ({ age_ratings }: IgdbGame) =>
  age_ratings.flatMap(({ organization, rating_category, synopsis }) =>
    organization === undefined || rating_category === undefined
      ? []
      : [{ organization, rating: rating_category, ...withoutNullish({ synopsis: nonEmptyText(synopsis) }) }],
  )

const toVideos = ({ videos }: IgdbGame) =>
  videos.flatMap((id) => (VIDEO_FORM.test(id) ? [`https://www.youtube.com/watch?v=${id}`] : []))

function toRelated(game: IgdbGame): SourceGame['related'] {
  const relations = RELATIONS.map((relation) => [relation, nonEmpty(game[relation])])
  return {
    ...withoutNullish(Object.fromEntries(relations)),
    ...withoutNullish({ parent_game: game.parent_game ?? game.version_parent }),
  }
}

export function toGame(game: IgdbGame, addressOf: (image: string) => string): SourceGame {
  const companies = nonEmpty(toCompanies(game))
  const alternatives = [...game.alternative_names.map(({ name }) => name), ...game.game_localizations]

  return {
    name: game.name,
    fields: withoutNullish({
      alternative_names: nonEmptyNames(alternatives, [game.name]),
      type: findType(game.game_type),
      status: findStatus(game.game_status),
      versionTitle: nonEmptyText(game.version_title),
      summary: nonEmptyText(game.summary),
      storyline: nonEmptyText(game.storyline),
      first_release: isDate(game.first_release_date) ? game.first_release_date : undefined,
      genres: nonEmptyNames(game.genres),
      modes: nonEmptyNames(game.game_modes),
      themes: nonEmptyNames(game.themes),
      keywords: nonEmptyNames(game.keywords),
      franchises: nonEmptyNames([game.franchise, ...game.franchises]),
      game_engines: nonEmptyNames(game.game_engines),
      player_perspectives: nonEmptyNames(game.player_perspectives),
      languages: nonEmptyNames(game.language_supports),
      companies,
      ageRatings: nonEmpty(toAgeRatings(game)),
      websites: links(game.websites),
      videos: links(toVideos(game)),
      externalPages: nonEmpty(toExternalPages(game)),
    }),
    platforms: game.platforms,
    releases: toReleases(game),
    multiplayerModes: toMultiplayerModes(game),
    related: toRelated(game),
    images: withoutNullish({
      cover: game.cover && addressOf(game.cover),
      screenshots: nonEmpty(game.screenshots.map(addressOf)),
      artworks: nonEmpty(game.artworks.map(addressOf)),
    }),
  }
}
