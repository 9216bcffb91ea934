import { z } from 'zod'
import { Id, IsoDate } from './ids.ts'
import { GAMES_BY_IDS_MAX, PATH_TEXT_MAX, SEARCH_STRING_MAX, SEARCH_STRING_MIN, TAKE_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { OBJECT_ID } from './object-id.ts'
import { listSchema, wholeNumber } from './pages.ts'
import { CHARACTER_FIELDS } from './proposals/character-fields.ts'
import { answeredRow, answeredShape, relationsShape } from './proposals/field-schemas.ts'
import { GAME_FIELDS } from './proposals/game-fields.ts'
import { text as boundedText } from './texts/text.ts'

/** A search by name in any case, accents and script. Results are best first. */
export const CatalogueSearchQuery = z.object({
  searchString: boundedText(SEARCH_STRING_MAX, MESSAGES.searchTooShort, MESSAGES.searchTooLong)
    .trim()
    .min(SEARCH_STRING_MIN, MESSAGES.searchTooShort),
  take: wholeNumber('take', 1, TAKE_MAX).default(10),
})

const IdList = z.array(Id).max(GAMES_BY_IDS_MAX, MESSAGES.royalSetBounds)
const JoinedIds = boundedText(50 * GAMES_BY_IDS_MAX, MESSAGES.invalidId).regex(
  new RegExp(`^(?:${OBJECT_ID}(?:,|$))*$`),
  MESSAGES.invalidId,
)

/** `_ids` is repeated or comma-separated. */
export const GamesByIdsQuery = z.object({
  _ids: z
    .union([JoinedIds, z.array(JoinedIds)], MESSAGES.invalidId)
    .transform((sent) => [sent].flat().flatMap((part) => part.split(',').filter((id) => id !== '')))
    .pipe(IdList),
})

/** An id of 24 hexadecimal characters, or else a slug; both in any case. */
export const IdOrSlugParams = z.object({ idOrSlug: boundedText(PATH_TEXT_MAX) })

const textList = z.array(z.string()).optional()
const number = z.number().optional()
const text = z.string().optional()
const flag = z.boolean().optional()

export const GameCompany = answeredRow(GAME_FIELDS.companies.columns)

/** `date` in Unix seconds, `human` as yyyy-mm-dd. */
const ReleaseDate = z.object({
  date: z.number(),
  human: text,
  month: number,
  year: number,
  platformId: Id.optional(),
  region: number,
})

const IgdbPart = z.object({
  gameId: z.number(),
  url: text,
  rating: number,
  rating_count: number,
  aggregated_rating: number,
  aggregated_rating_count: number,
  total_rating: number,
  total_rating_count: number,
  hypes: number,
  updatedAt: IsoDate.optional(),
})

const VndbPart = z.object({
  vnId: z.string(),
  rating: number,
  votecount: number,
  lengthMinutes: number,
  syncedAt: IsoDate.optional(),
})

/** Times in hours, absent when the source has none. */
const HltbPart = z.object({
  hltbId: z.string(),
  mainStory: number,
  mainStoryCount: number,
  mainExtra: number,
  mainExtraCount: number,
  completionist: number,
  completionistCount: number,
  allStyles: number,
  allStylesCount: number,
  coop: number,
  coopCount: number,
  multiplayer: number,
  multiplayerCount: number,
  reviewScore: number,
  imageUrl: text,
  platforms: textList,
  releaseYear: number,
  updatedAt: IsoDate,
})

const RetroAchievementsPart = z.object({
  gameId: z.number(),
  consoleId: z.number(),
  consoleName: text,
  imageIcon: text,
  numAchievements: number,
})

/** A game with every field. Unknown fields are absent, but a missing cover is null. `first_release` in Unix seconds. */
export const Game = z
  .object({
    _id: Id,
    slug: z.string(),
    ...answeredShape(GAME_FIELDS),
    name: z.string(),
    release_dates: z.array(ReleaseDate).optional(),
    relatedGames: z.object({ parent_game: Id.optional(), ...relationsShape(z.array(Id)) }).optional(),
    cover: z.string().nullable(),
    isCustom: flag,
    isStopParsing: flag,
    igdb: IgdbPart.optional(),
    vndb: VndbPart.optional(),
    hltb: HltbPart.optional(),
    retroachievements: z.array(RetroAchievementsPart).optional(),
    createdAt: IsoDate,
    updatedAt: IsoDate,
  })
  // Stored as parts of the fields above.
  .omit({ developer: true, publisher: true, parentGameId: true, igdbId: true, vndbId: true, hltbId: true })
export type Game = z.infer<typeof Game>

export const GameRow = z.object({
  _id: Id,
  name: z.string(),
  slug: z.string(),
  cover: z.string().nullable(),
  type: z.string().nullable(),
  first_release: z.number().nullable(),
})
export type GameRow = z.infer<typeof GameRow>

/** The games in the requested order, without unknown ids. */
export const GameRows = z.array(GameRow.extend({ platformIds: z.array(Id), createdAt: IsoDate, updatedAt: IsoDate }))
export type GameRows = z.infer<typeof GameRows>

export const GameList = listSchema(GameRow)
export type GameList = z.infer<typeof GameList>

/** A character with every field. Unknown fields are absent, but a missing mug shot is null. */
export const Character = z.object({
  _id: Id,
  slug: z.string(),
  ...answeredShape(CHARACTER_FIELDS),
  name: z.string(),
  mugShot: z.string().nullable(),
  createdAt: IsoDate,
  updatedAt: IsoDate,
})
export type Character = z.infer<typeof Character>

export const CharacterRow = z.object({ _id: Id, name: z.string(), slug: z.string(), mugShot: z.string().nullable() })
export type CharacterRow = z.infer<typeof CharacterRow>

export const CharacterList = listSchema(CharacterRow)
export type CharacterList = z.infer<typeof CharacterList>

/** All platforms by name, with their ids in the sources. */
export const Platforms = z.array(
  z.object({
    _id: Id,
    name: z.string(),
    slug: z.string(),
    igdbId: number,
    vndbId: text,
    raConsoleId: number,
  }),
)
export type Platforms = z.infer<typeof Platforms>
