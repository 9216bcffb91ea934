import { z } from 'zod'
import {
  expanded,
  expandedList,
  image,
  images,
  name,
  names,
  optional,
  reference,
  references,
  text,
} from './expanded.ts'

const number = optional(z.number())
const flag = optional(z.boolean())

export const COMPANY_ROLES = ['developer', 'publisher', 'porting', 'supporting'] as const

export const RELATIONS = [
  'dlcs',
  'expansions',
  'standalone_expansions',
  'bundles',
  'expanded_games',
  'forks',
  'ports',
  'remakes',
  'remasters',
  'similar_games',
] as const

export const SCORES = [
  'rating',
  'rating_count',
  'aggregated_rating',
  'aggregated_rating_count',
  'total_rating',
  'total_rating_count',
  'hypes',
] as const

/** As IGDB calls them: as the catalogue does. */
export const MULTIPLAYER_FLAGS = {
  campaigncoop: 'campaignCoop',
  dropin: 'dropIn',
  lancoop: 'lanCoop',
  offlinecoop: 'offlineCoop',
  onlinecoop: 'onlineCoop',
  splitscreen: 'splitscreen',
  splitscreenonline: 'splitscreenOnline',
  offlinecoopmax: 'offlineCoopMax',
  offlinemax: 'offlineMax',
  onlinecoopmax: 'onlineCoopMax',
  onlinemax: 'onlineMax',
} as const

/** Names of today alone: those before the tables (`category`, `status`, `region` …) are refused or find nothing. */
export const GAME_FIELDS = [
  ...['name', 'url', 'summary', 'storyline', 'first_release_date', 'updated_at', 'version_title'],
  ...['cover.image_id', 'screenshots.image_id', 'artworks.image_id'],
  ...['genres', 'themes', 'game_modes', 'player_perspectives', 'keywords', 'game_engines'].map(
    (each) => `${each}.name`,
  ),
  ...['franchise.name', 'franchises.name', 'game_type.type', 'game_status.status'],
  ...['involved_companies.company.name', ...COMPANY_ROLES.map((role) => `involved_companies.${role}`)],
  'platforms',
  ...['date', 'platform', 'release_region.region', 'date_format.format'].map((each) => `release_dates.${each}`),
  ...['alternative_names.name', 'alternative_names.comment', 'game_localizations.name'],
  ...['websites.url', 'videos.video_id'],
  ...['uid', 'url', 'external_game_source.name'].map((each) => `external_games.${each}`),
  ...['organization.name', 'rating_category.rating', 'synopsis'].map((each) => `age_ratings.${each}`),
  'language_supports.language.name',
  ...['platform', ...Object.keys(MULTIPLAYER_FLAGS)].map((each) => `multiplayer_modes.${each}`),
  ...['parent_game', 'version_parent', ...RELATIONS],
  ...SCORES,
]

const relationShape = <const K extends string, T extends z.ZodType>(keys: readonly K[], schema: T) =>
  // Every key of K is there, which `fromEntries` does not tell.
  Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, T>

const Company = z.object({ company: name, ...relationShape(COMPANY_ROLES, flag) })

const ReleaseDate = z.object({
  date: number,
  platform: reference,
  release_region: reference,
  date_format: reference,
})

const uid = optional(z.union([z.string(), z.number().transform(String)]))

const ExternalGame = z.object({ uid, url: text, external_game_source: name })

const AgeRating = z.object({
  organization: name,
  rating_category: expanded(z.object({ rating: text })),
  synopsis: text,
})

// The keys of a constant object are known.
export const MULTIPLAYER_KEYS = Object.keys(MULTIPLAYER_FLAGS) as (keyof typeof MULTIPLAYER_FLAGS)[]

const MultiplayerMode = z.object({
  platform: reference,
  ...relationShape(MULTIPLAYER_KEYS, optional(z.union([z.boolean(), z.number()]))),
})

export const IgdbGame = z.object({
  id: z.number(),
  name: z.string().trim().min(1),
  url: text,
  summary: text,
  storyline: text,
  first_release_date: number,
  updated_at: number,
  version_title: text,
  cover: image,
  screenshots: images,
  artworks: images,
  ...relationShape(['genres', 'themes', 'game_modes', 'player_perspectives', 'keywords', 'game_engines'], names),
  franchise: name,
  franchises: names,
  game_type: expanded(z.object({ type: text })),
  game_status: expanded(z.object({ status: text })),
  involved_companies: expandedList(Company),
  platforms: references,
  release_dates: expandedList(ReleaseDate),
  alternative_names: expandedList(z.object({ name: text, comment: text })),
  game_localizations: expandedList(z.object({ name: text })),
  websites: expandedList(z.object({ url: text })),
  videos: expandedList(z.object({ video_id: text })),
  external_games: expandedList(ExternalGame),
  age_ratings: expandedList(AgeRating),
  language_supports: expandedList(z.object({ language: name })),
  multiplayer_modes: expandedList(MultiplayerMode),
  parent_game: reference,
  version_parent: reference,
  ...relationShape(RELATIONS, references),
  ...relationShape(SCORES, number),
})
export type IgdbGame = z.infer<typeof IgdbGame>
