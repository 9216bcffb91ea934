import { z } from 'zod'
import { entryName, fact, facts, name, number, numeric, repeatSchema, text, visibleName, words } from '../facts.ts'

const Row = z.record(z.string(), z.unknown())

/** One fact of an expanded row. A reference to a deleted row stays a number, which has no facts. */
const factOf = <T>(key: string, schema: z.ZodType<T>) => Row.transform((row) => row[key]).pipe(schema)

const Reference = z.union([numeric, factOf('id', numeric)])

const Named = factOf('name', visibleName)

const Image = factOf('image_id', z.string().regex(/^[\w-]+$/))

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

/** The names of IGDB, each with that of the catalogue. */
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

const LISTS_OF_NAMES = ['genres', 'themes', 'game_modes', 'player_perspectives', 'keywords', 'game_engines'] as const

/** The present names of the fields. IGDB refuses the earlier ones (`category`, `status`, `region` …), or answers them empty. */
export const GAME_FIELDS = [
  'name',
  'url',
  'summary',
  'storyline',
  'first_release_date',
  'updated_at',
  'version_title',
  'cover.image_id',
  'screenshots.image_id',
  'artworks.image_id',
  ...LISTS_OF_NAMES.map((list) => `${list}.name`),
  'franchise.name',
  'franchises.name',
  'game_type.type',
  'game_status.status',
  'involved_companies.company.name',
  ...COMPANY_ROLES.map((role) => `involved_companies.${role}`),
  'platforms',
  ...['date', 'platform', 'release_region.region', 'date_format.format'].map((field) => `release_dates.${field}`),
  'alternative_names.name',
  'alternative_names.comment',
  'game_localizations.name',
  'websites.url',
  'videos.video_id',
  ...['uid', 'url', 'external_game_source.name'].map((field) => `external_games.${field}`),
  ...['organization.name', 'rating_category.rating', 'synopsis'].map((field) => `age_ratings.${field}`),
  'language_supports.language.name',
  ...['platform', ...Object.keys(MULTIPLAYER_FLAGS)].map((field) => `multiplayer_modes.${field}`),
  'parent_game',
  'version_parent',
  ...RELATIONS,
  ...SCORES,
]

const Company = z.object({ company: fact(Named), ...repeatSchema(COMPANY_ROLES, fact(z.boolean())) })

const ReleaseDate = z.object({
  date: number,
  platform: fact(Reference),
  release_region: fact(Reference),
  date_format: fact(Reference),
})

const ExternalGame = z.object({
  uid: fact(z.union([z.string(), z.number().transform(String)])),
  url: text,
  external_game_source: fact(Named),
})

const AgeRating = z.object({
  organization: fact(Named),
  rating_category: fact(factOf('rating', z.string())),
  synopsis: words,
})

// The keys of a constant object are known.
export const MULTIPLAYER_KEYS = Object.keys(MULTIPLAYER_FLAGS) as (keyof typeof MULTIPLAYER_FLAGS)[]

const MultiplayerMode = z.object({
  platform: fact(Reference),
  ...repeatSchema(MULTIPLAYER_KEYS, fact(z.union([z.boolean(), numeric]))),
})

export const IgdbGame = z.object({
  id: numeric,
  name: entryName,
  url: text,
  summary: words,
  storyline: words,
  first_release_date: number,
  updated_at: number,
  version_title: name,
  cover: fact(Image),
  screenshots: facts(Image),
  artworks: facts(Image),
  ...repeatSchema(LISTS_OF_NAMES, facts(Named)),
  franchise: fact(Named),
  franchises: facts(Named),
  game_type: fact(factOf('type', z.string())),
  game_status: fact(factOf('status', z.string())),
  involved_companies: facts(Company),
  platforms: facts(Reference),
  release_dates: facts(ReleaseDate),
  alternative_names: facts(z.object({ name, comment: text })),
  game_localizations: facts(Named),
  websites: facts(factOf('url', z.string())),
  videos: facts(factOf('video_id', z.string())),
  external_games: facts(ExternalGame),
  age_ratings: facts(AgeRating),
  language_supports: facts(factOf('language', Named)),
  multiplayer_modes: facts(MultiplayerMode),
  parent_game: fact(Reference),
  version_parent: fact(Reference),
  ...repeatSchema(RELATIONS, facts(Reference)),
  ...repeatSchema(SCORES, number),
})
export type IgdbGame = z.infer<typeof IgdbGame>

export const CHARACTER_FIELDS = [
  'name',
  'akas',
  'description',
  'country_name',
  'character_gender.name',
  'character_species.name',
  'mug_shot.image_id',
  'games',
]

export const IgdbCharacter = z.object({
  name: entryName,
  akas: facts(visibleName),
  description: words,
  country_name: name,
  character_gender: fact(Named),
  character_species: fact(Named),
  mug_shot: fact(Image),
  games: facts(Reference),
})
export type IgdbCharacter = z.infer<typeof IgdbCharacter>
