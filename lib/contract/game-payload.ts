import { z } from 'zod'
import { Game, type GameRelation } from './catalogue.ts'
import { Id } from './ids.ts'
import { CONTENT_REQUEST_SCREENSHOTS_MAX, LONG_TEXT_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { boundedText, boundedTexts, idList, Link, linkList, PAYLOAD_META, payloadSchema } from './payload.ts'
import { trimmedText } from './text.ts'

const flag = z.boolean().optional()
const count = z.int().min(0).max(1_000).optional()
const sourceNumber = z.int().min(1)
/** From 1900 to 9999; milliseconds of any game are later than that. */
const unixSeconds = z.int().min(-2_208_988_800).max(253_402_300_799)
const imageLinks = linkList(CONTENT_REQUEST_SCREENSHOTS_MAX)

const relations = Game.shape.relatedGames.unwrap().omit({ parent_game: true }).keyof().options
const relatedIds = idList(50).optional()
// `fromEntries` does not tell that every relation is there.
const relatedShape = Object.fromEntries(relations.map((relation) => [relation, relatedIds])) as Record<
  GameRelation,
  typeof relatedIds
>

/** The fields of a game that can be proposed, each as it stands in a payload. */
export const GameFields = z.strictObject({
  name: boundedText(200).optional(),
  alternative_names: boundedTexts(20, 200).optional(),
  versionTitle: boundedText(200).optional(),
  type: boundedText(60).optional(),
  status: boundedText(60).optional(),
  first_release: unixSeconds.optional(),
  summary: boundedText(LONG_TEXT_MAX).optional(),
  storyline: boundedText(LONG_TEXT_MAX).optional(),
  release_dates: z
    .array(z.strictObject({ date: unixSeconds, platformId: Id, region: z.int().min(1).max(20).optional() }))
    .max(60)
    .optional(),
  platformIds: idList(60).optional(),
  genres: boundedTexts(20, 80).optional(),
  modes: boundedTexts(10, 80).optional(),
  themes: boundedTexts(20, 80).optional(),
  keywords: boundedTexts(100, 80).optional(),
  franchises: boundedTexts(10, 120).optional(),
  game_engines: boundedTexts(10, 120).optional(),
  player_perspectives: boundedTexts(10, 80).optional(),
  languages: boundedTexts(60, 80).optional(),
  companies: z
    .array(
      z.strictObject({ name: boundedText(120), developer: flag, publisher: flag, porting: flag, supporting: flag }),
    )
    .max(30)
    .optional(),
  developer: boundedText(120).optional(),
  publisher: boundedText(120).optional(),
  multiplayer_modes: z
    .array(
      z.strictObject({
        campaignCoop: flag,
        dropIn: flag,
        lanCoop: flag,
        offlineCoop: flag,
        onlineCoop: flag,
        splitscreen: flag,
        splitscreenOnline: flag,
        offlineCoopMax: count,
        offlineMax: count,
        onlineCoopMax: count,
        onlineMax: count,
        platformId: Id.optional(),
      }),
    )
    .max(20)
    .optional(),
  ageRatings: z
    .array(
      z.strictObject({
        organization: boundedText(200),
        rating: boundedText(200),
        synopsis: boundedText(LONG_TEXT_MAX).optional(),
      }),
    )
    .max(20)
    .optional(),
  websites: linkList(20).optional(),
  videos: linkList(20).optional(),
  externalPages: z
    .array(z.strictObject({ uid: boundedText(200), name: boundedText(80).optional(), url: Link.optional() }))
    .max(20)
    .optional(),
  relatedGames: z.strictObject(relatedShape).optional(),
  parentGameId: Id.optional(),
  cover: Link.optional(),
  screenshots: imageLinks.optional(),
  artworks: imageLinks.optional(),
  igdbId: sourceNumber.optional(),
  vndbId: trimmedText(16, MESSAGES.vndbIdForm)
    .regex(/^v\d{1,15}$/, MESSAGES.vndbIdForm)
    .optional(),
  hltbId: trimmedText(15, MESSAGES.hltbIdForm)
    .regex(/^\d{1,15}$/, MESSAGES.hltbIdForm)
    .optional(),
  retroachievements: z
    .array(z.strictObject({ gameId: sourceNumber, consoleId: sourceNumber }))
    .max(10)
    .optional(),
})

/** Release dates in Unix seconds. Images, `websites` and `videos` are links; games, platforms and relations are ids. */
export const GamePayload = payloadSchema(GameFields).meta({ ...PAYLOAD_META, id: 'GamePayload' })
export type GamePayload = z.output<typeof GamePayload>
