import { z } from 'zod'
import { OBJECT_ID } from '../values/object-id.ts'
import { Game, type GameRelation } from './catalogue.ts'
import { Id, IsoDate } from './ids.ts'
import {
  CONTENT_REQUEST_SCREENSHOTS_MAX,
  LINK_MAX,
  LONG_TEXT_MAX,
  REQUEST_NOTE_MAX,
  REQUEST_REASON_MAX,
  REQUEST_SOURCES_MAX,
  REQUESTS_TAKE_MAX,
} from './limits.ts'
import { MESSAGES } from './messages.ts'
import { listOf, pageQuery } from './pages.ts'
import { readUrl } from './read-url.ts'

export const RequestKind = z.enum(['game', 'character'])
export type RequestKind = z.infer<typeof RequestKind>

const RequestAction = z.enum(['add', 'update'])

export const RequestStatus = z.enum(['pending', 'approved', 'rejected', 'withdrawn'])
export type RequestStatus = z.infer<typeof RequestStatus>

/** Documented with what trimming leaves of it. */
const text = (max: number) => z.string().trim().min(1).max(max).meta({ pattern: '\\S' })
const texts = (count: number, max: number) => z.array(text(max)).max(count)
const ids = (count: number) => z.array(Id).max(count)
const flag = z.boolean().optional()
const count = z.int().min(0).max(1_000).optional()
const sourceNumber = z.int().min(1)
/** From 1900 to 9999; milliseconds of any game are later than that. */
const unixSeconds = z.int().min(-2_208_988_800).max(253_402_300_799)

const HTTP_LINK = /^https?:\/\/[^\s\p{Cc}]+$/iu
const Link = z
  .string()
  .trim()
  .max(LINK_MAX)
  .refine((link) => HTTP_LINK.test(link) && readUrl(link) !== undefined, MESSAGES.notALink)
  .meta({ format: 'uri' })
const links = (max: number) => z.array(Link).max(max)
const imageLinks = links(CONTENT_REQUEST_SCREENSHOTS_MAX)

/** What may be missing or empty; null then. */
const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((sent) => sent || null)

const relations = Game.shape.relatedGames.unwrap().omit({ parent_game: true }).keyof().options
const relatedIds = ids(50).optional()
// `fromEntries` does not tell that every relation is there.
const relatedShape = Object.fromEntries(relations.map((relation) => [relation, relatedIds])) as Record<
  GameRelation,
  typeof relatedIds
>

/** The fields of a game that can be proposed, each as it stands in a payload. */
export const GameFields = z.strictObject({
  name: text(200).optional(),
  alternative_names: texts(20, 200).optional(),
  versionTitle: text(200).optional(),
  type: text(60).optional(),
  status: text(60).optional(),
  first_release: unixSeconds.optional(),
  summary: text(LONG_TEXT_MAX).optional(),
  storyline: text(LONG_TEXT_MAX).optional(),
  release_dates: z
    .array(z.strictObject({ date: unixSeconds, platformId: Id, region: z.int().min(1).max(20).optional() }))
    .max(60)
    .optional(),
  platformIds: ids(60).optional(),
  genres: texts(20, 80).optional(),
  modes: texts(10, 80).optional(),
  themes: texts(20, 80).optional(),
  keywords: texts(100, 80).optional(),
  franchises: texts(10, 120).optional(),
  game_engines: texts(10, 120).optional(),
  player_perspectives: texts(10, 80).optional(),
  languages: texts(60, 80).optional(),
  companies: z
    .array(z.strictObject({ name: text(120), developer: flag, publisher: flag, porting: flag, supporting: flag }))
    .max(30)
    .optional(),
  developer: text(120).optional(),
  publisher: text(120).optional(),
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
    .array(z.strictObject({ organization: text(80), rating: text(80), synopsis: text(LONG_TEXT_MAX).optional() }))
    .max(20)
    .optional(),
  websites: links(20).optional(),
  videos: links(20).optional(),
  externalPages: z
    .array(z.strictObject({ uid: text(200), name: text(80).optional(), url: Link.optional() }))
    .max(20)
    .optional(),
  relatedGames: z.strictObject(relatedShape).optional(),
  parentGameId: Id.optional(),
  cover: Link.optional(),
  screenshots: imageLinks.optional(),
  artworks: imageLinks.optional(),
  igdbId: sourceNumber.optional(),
  vndbId: z
    .string()
    .trim()
    .regex(/^v\d{1,15}$/, MESSAGES.vndbIdForm)
    .optional(),
  hltbId: z
    .string()
    .trim()
    .regex(/^\d{1,15}$/, MESSAGES.hltbIdForm)
    .optional(),
  retroachievements: z
    .array(z.strictObject({ gameId: sourceNumber, consoleId: sourceNumber }))
    .max(10)
    .optional(),
})

/** The fields of a character that can be proposed. */
export const CharacterFields = z.strictObject({
  name: text(200).optional(),
  akas: texts(20, 200).optional(),
  gameIds: ids(60).optional(),
  gender: text(40).optional(),
  species: text(80).optional(),
  countryName: text(120).optional(),
  description: text(LONG_TEXT_MAX).optional(),
  mugShot: Link.optional(),
})

function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined
  return (Array.isArray(value) ? value : Object.values(value).filter(isFilled)).length > 0
}

/** A list without entries proposes nothing, and is left out. */
const payloadOf = <S extends z.ZodRawShape>(fields: z.ZodObject<S, z.core.$strict>) =>
  fields.transform((sent, { issues }) => {
    const entries = Object.entries(sent).filter(([, value]) => isFilled(value))
    if (entries.length === 0) {
      issues.push({ code: 'custom', message: MESSAGES.payloadEmpty, input: sent })
      return z.NEVER
    }
    // Every field is optional, so some of them are a payload as well.
    return Object.fromEntries(entries) as typeof sent
  })

const PAYLOAD = { minProperties: 1, description: 'A list without entries proposes nothing, and is left out.' }

/** Release dates in Unix seconds. Images, `websites` and `videos` are links; games, platforms and relations are ids. */
export const GamePayload = payloadOf(GameFields).meta({ ...PAYLOAD, id: 'GamePayload' })
export type GamePayload = z.output<typeof GamePayload>

export const CharacterPayload = payloadOf(CharacterFields).meta({ ...PAYLOAD, id: 'CharacterPayload' })
export type CharacterPayload = z.output<typeof CharacterPayload>

type Naming = Readonly<Record<string, 'string' | 'integer'>>

/** Documented with what is judged of each action below: one of `naming` is in the payload of an `add`. */
const requestOf = <K extends RequestKind, P extends z.ZodType>(kind: K, payload: P, naming: Naming) =>
  z
    .object({
      kind: z.literal(kind),
      action: RequestAction,
      // Judged below, for an `update` alone.
      targetId: z.unknown().optional().meta({ description: 'Of an `update`; an `add` ignores it.' }),
      payload,
      sources: links(REQUEST_SOURCES_MAX).default([]),
      note: optionalText(REQUEST_NOTE_MAX),
    })
    .meta({
      anyOf: [
        {
          type: 'object',
          properties: {
            action: { const: 'add' },
            payload: {
              anyOf: Object.entries(naming).map(([field, type]) => ({
                type: 'object',
                properties: { [field]: { type } },
                required: [field],
              })),
            },
          },
        },
        {
          type: 'object',
          properties: {
            action: { const: 'update' },
            targetId: { type: 'string', pattern: `^${OBJECT_ID}$` },
          },
          required: ['targetId'],
        },
      ],
    })

/** Whether some fields of a payload are enough to know what a new entry is. */
export const isIdentified = (fields: Pick<GamePayload, 'name' | 'igdbId' | 'vndbId'>): boolean =>
  fields.name !== undefined || fields.igdbId !== undefined || fields.vndbId !== undefined

/** `targetId` is that of an `update`; an `add` needs a `name`, for a game an `igdbId` or a `vndbId` does as well. */
export const CreateRequestBody = z
  .discriminatedUnion(
    'kind',
    [
      requestOf('game', GamePayload, { name: 'string', igdbId: 'integer', vndbId: 'string' }),
      requestOf('character', CharacterPayload, { name: 'string' }),
    ],
    {
      error: ({ code }) => (code === 'invalid_union' ? `kind must be ${RequestKind.options.join(' or ')}` : undefined),
    },
  )
  .transform(({ targetId, ...request }, { issues }) => {
    const refuse = (path: string[], message: string) => {
      issues.push({ code: 'custom', path, message, input: request })
      return z.NEVER
    }
    if (request.action === 'add') {
      if (!isIdentified(request.payload)) return refuse(['payload', 'name'], MESSAGES.newEntryUnnamed)
      return { ...request, targetId: null }
    }
    if (targetId === undefined || targetId === null || targetId === '') {
      return refuse(['targetId'], MESSAGES.targetMissing)
    }
    const id = Id.safeParse(targetId)
    return id.success ? { ...request, targetId: id.data } : refuse(['targetId'], MESSAGES.invalidId)
  })
  .meta({ id: 'CreateRequestBody' })
export type CreateRequestBody = z.output<typeof CreateRequestBody>

/** `fields` are keys of the payload, all of them when left out; a reject ignores them. `lockSync` is for games. */
export const RequestDecisionBody = z
  .object({
    decision: z.enum(['approve', 'reject']),
    fields: z
      .array(z.string().max(60))
      .max(100)
      .meta({ description: 'Keys of the payload, at least one of them; all when left out.' })
      .optional(),
    reason: optionalText(REQUEST_REASON_MAX),
    lockSync: z.boolean().default(false),
    force: z.boolean().default(false),
  })
  .refine(({ decision, reason }) => decision === 'approve' || reason !== null, {
    path: ['reason'],
    message: MESSAGES.reasonMissing,
  })
  .meta({
    id: 'RequestDecisionBody',
    anyOf: [
      {
        type: 'object',
        properties: {
          decision: { const: 'approve' },
          fields: { type: 'array', items: { type: 'string' }, minItems: 1 },
        },
      },
      {
        type: 'object',
        properties: { decision: { const: 'reject' }, reason: { type: 'string', pattern: '\\S' } },
        required: ['reason'],
      },
    ],
  })
export type RequestDecisionBody = z.output<typeof RequestDecisionBody>

const Values = z.record(z.string(), z.unknown())

/** `payload` is what was proposed, as in `GamePayload` or `CharacterPayload`; `decidedBy` is the id of an admin. */
export const ContentRequest = z
  .object({
    _id: Id,
    kind: RequestKind,
    action: RequestAction,
    status: RequestStatus,
    targetId: Id.nullable(),
    targetName: z.string().nullable(),
    targetSlug: z.string().nullable(),
    payload: Values,
    sources: z.array(z.string()),
    note: z.string().nullable(),
    reason: z.string().nullable(),
    appliedFields: z.array(z.string()),
    userId: Id,
    userName: z.string().nullable(),
    resultId: Id.nullable(),
    resultSlug: z.string().nullable(),
    createdAt: IsoDate,
    decidedAt: IsoDate.nullable(),
    decidedBy: Id.nullable(),
  })
  .meta({ id: 'ContentRequest' })
export type ContentRequest = z.infer<typeof ContentRequest>

/** The claim is that of an admin who is deciding it right now. */
export const AdminContentRequest = ContentRequest.extend({
  claimedAt: IsoDate.nullable(),
  claimedBy: Id.nullable(),
}).meta({ id: 'AdminContentRequest' })
export type AdminContentRequest = z.infer<typeof AdminContentRequest>

/** `current` has the keys of the payload with what the target has of them, null for nothing; null itself for an `add`. */
export const ReviewedRequest = AdminContentRequest.extend({ current: Values.nullable() }).meta({
  id: 'ReviewedRequest',
})
export type ReviewedRequest = z.infer<typeof ReviewedRequest>

export const ContentRequestList = listOf(ContentRequest).meta({ id: 'ContentRequestList' })
export type ContentRequestList = z.infer<typeof ContentRequestList>

export const AdminContentRequestList = listOf(AdminContentRequest).meta({ id: 'AdminContentRequestList' })
export type AdminContentRequestList = z.infer<typeof AdminContentRequestList>

export const OwnRequestsQuery = z.object(pageQuery(20, REQUESTS_TAKE_MAX))

export const RequestsQuery = z.object({
  status: RequestStatus.optional(),
  kind: RequestKind.optional(),
  ...pageQuery(20, REQUESTS_TAKE_MAX),
})
export type RequestsQuery = z.infer<typeof RequestsQuery>

/** `failedImages` are the links of the payload that could not be copied, `warnings` whole sentences. */
export const RequestDecisionAnswer = z
  .object({ request: AdminContentRequest, failedImages: z.array(z.string()), warnings: z.array(z.string()) })
  .meta({ id: 'RequestDecisionAnswer' })
export type RequestDecisionAnswer = z.infer<typeof RequestDecisionAnswer>
