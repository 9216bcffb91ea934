import { z } from 'zod'

// Written from the decisions, sections 4 to 8 and 16, as a client of the service reads them; nothing here is shared with it.

const id = z.string().regex(/^[0-9a-f]{24}$/)
const date = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const link = z.string().nullable()
const count = z.int().min(0)
const points = z.int().min(0).max(100)
const list = <T extends z.ZodType>(item: T) => z.strictObject({ results: z.array(item), total: count })
const source = z.enum(['vndb', 'igdb', 'hltb', 'ra'])

export const failure = z.strictObject({
  statusCode: z.int(),
  error: z.string(),
  message: z.string().min(1),
  issues: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
})

// Section 2
export const signedIn = z.strictObject({ userId: id })

// Section 4
const author = z.strictObject({ _id: id, userName: z.string(), avatar: link.optional() })
export const comment = z.strictObject({
  _id: id,
  gameId: id,
  userId: z.union([id, z.literal('')]),
  parentId: id.nullable(),
  replyToId: id.nullable(),
  body: z.string(),
  isSpoiler: z.boolean(),
  likesCount: count,
  repliesCount: count,
  reportsCount: count.optional(),
  status: z.enum(['visible', 'hidden', 'deleted']),
  createdAt: date,
  updatedAt: date,
  replyTo: z.strictObject({ _id: id, author: author.nullable() }).nullable(),
  author: author.nullable(),
  isLiked: z.boolean(),
  isReported: z.boolean(),
  reviewId: z.null(),
  review: z.null(),
  authorPlaythrough: z.null(),
})
export const comments = list(comment)
export const reported = z.strictObject({ isReported: z.literal(true) })
export const like = z.strictObject({ count, isActive: z.boolean() })

// Section 5
export const user = z.strictObject({
  _id: id,
  userName: z.string(),
  avatar: link,
  description: z.string().nullable(),
  roles: z.array(z.enum(['user', 'admin'])),
  createdAt: date,
  updatedAt: date,
})
export const presets = z.strictObject({
  _id: id,
  presets: z.array(z.strictObject({ name: z.string(), preset: z.union([z.string(), z.array(id).max(500)]) })),
})
export const royalList = z.strictObject({
  ok: z.literal(true),
  royalGames: z.array(id).max(500),
  rejected: z.array(id),
})
export const refusedAck = z.strictObject({ ok: z.literal(false), error: z.string().min(1) })
export const accepted = z.strictObject({ ok: z.literal(true) })

// Section 6
const conflictState = z.enum(['waiting', 'queued-match', 'queued-new', 'matched', 'new-game'])
const direction = z.enum(['games', 'entries'])
const reason = z
  .enum([
    'below-threshold',
    'competing-candidates',
    'weak-title',
    'date-contradicts',
    'genre-mismatch',
    'description-mismatch',
    'no-company-evidence',
    'company-mismatch',
    'unverified-title',
    'custom-game',
  ])
  .nullable()
const company = z.strictObject({
  name: z.string(),
  developer: z.boolean().optional(),
  publisher: z.boolean().optional(),
  porting: z.boolean().optional(),
  supporting: z.boolean().optional(),
})
export const conflictSummary = z.strictObject({
  pending: count,
  applying: count,
  firstExternalId: z.string().nullable(),
  firstSource: source.nullable(),
  bySource: z.strictObject({ vndb: count, igdb: count, hltb: count, ra: count }),
})
export const conflictList = list(
  z.strictObject({
    source,
    direction,
    externalId: z.string(),
    externalName: z.string(),
    reason,
    state: conflictState,
    candidates: z.array(z.strictObject({ gameId: id, name: z.string(), slug: z.string(), score: points })),
    entries: z.array(z.strictObject({ id: z.string(), name: z.string() })),
    winners: z.array(z.strictObject({ _id: id, name: z.string(), slug: z.string() })),
  }),
)
export const conflictsByGame = z.array(z.strictObject({ source, externalId: z.string(), externalName: z.string() }))
const part = z.number().multipleOf(0.1)
const candidate = z.strictObject({
  gameId: id,
  name: z.string(),
  slug: z.string(),
  score: points,
  breakdown: z.strictObject({ title: part, companies: part, date: part, platforms: part, genre: part, type: part }),
  isManual: z.boolean(),
  dateSignal: z.enum(['confirms', 'contradicts', 'unknown']),
  descriptionSignal: z.enum(['match', 'mismatch', 'unknown']),
  hasCompanyMismatch: z.boolean(),
  matchedTitle: z.string().nullable(),
  game: z
    .strictObject({
      cover: link,
      type: z.string().nullable(),
      summary: z.string().nullable(),
      alternativeNames: z.array(z.string()),
      companies: z.array(company),
      firstRelease: z.number().nullable(),
      platformIds: z.array(id),
      isCustom: z.boolean(),
      linkedExternalId: z.string().nullable(),
    })
    .nullable(),
})
const entry = z.strictObject({
  id: z.string(),
  name: z.string(),
  score: points.nullable(),
  releaseYear: z.int().nullable(),
  platforms: z.array(z.string()),
  cover: link,
  url: link,
  details: z.array(z.string()),
})
const subject = z.strictObject({
  name: z.string(),
  originalName: z.string(),
  alternativeNames: z.array(z.string()),
  description: z.string(),
  released: z
    .string()
    .regex(/^\d{4}(-\d\d(-\d\d)?)?$/)
    .nullable(),
  developers: z.array(z.string()),
  platformIds: z.array(id),
  lengthMinutes: z.number().nullable(),
  cover: link,
  isExplicitCover: z.boolean(),
  url: link,
})
const item = z.strictObject({
  id,
  source,
  direction,
  isMultiMatch: z.literal(false),
  externalId: z.string(),
  reason,
  state: conflictState,
  remaining: count,
  nextExternalId: z.string().nullable(),
  decidedBy: z.string().nullable(),
  failure: z.strictObject({ message: z.string(), at: date }).nullable(),
  subject: subject.nullable(),
  candidates: z.array(candidate),
  entries: z.array(entry),
})
export const foundConflict = z.strictObject({ item: item.nullable() })

// Section 7 and 16
const text = z.string().optional()
const texts = z.array(z.string()).optional()
const ids = z.array(id).optional()
const number = z.number().optional()
const flag = z.boolean().optional()
const gameRow = z.strictObject({
  _id: id,
  name: z.string(),
  slug: z.string(),
  cover: link,
  type: z.string().nullable(),
  first_release: z.number().nullable(),
})
export const gameRows = z.array(gameRow.extend({ platformIds: z.array(id), createdAt: date, updatedAt: date }))
export const games = list(gameRow)
export const game = z.strictObject({
  _id: id,
  name: z.string(),
  slug: z.string(),
  alternative_names: texts,
  type: text,
  status: text,
  versionTitle: text,
  summary: text,
  storyline: text,
  first_release: number,
  release_dates: z
    .array(
      z.strictObject({
        date: z.number(),
        human: z.string(),
        month: z.number(),
        year: z.number(),
        platformId: id,
        region: z.number(),
      }),
    )
    .optional(),
  platformIds: ids,
  genres: texts,
  modes: texts,
  themes: texts,
  keywords: texts,
  franchises: texts,
  game_engines: texts,
  player_perspectives: texts,
  languages: texts,
  companies: z.array(company).optional(),
  multiplayer_modes: z.array(z.record(z.string(), z.union([z.boolean(), z.number(), z.string()]))).optional(),
  ageRatings: z.array(z.strictObject({ organization: z.string(), rating: z.string(), synopsis: text })).optional(),
  websites: texts,
  videos: texts,
  externalPages: z.array(z.strictObject({ uid: z.string(), name: text, url: text })).optional(),
  relatedGames: z.record(z.string(), z.union([id, z.array(id)])).optional(),
  cover: link,
  screenshots: texts,
  artworks: texts,
  isCustom: flag,
  isStopParsing: flag,
  igdb: z.looseObject({ gameId: z.number() }).optional(),
  vndb: z.looseObject({ vnId: z.string() }).optional(),
  hltb: z.looseObject({ hltbId: z.string(), updatedAt: date }).optional(),
  retroachievements: z.array(z.looseObject({ gameId: z.number(), consoleId: z.number() })).optional(),
  createdAt: date,
  updatedAt: date,
})
const characterRow = z.strictObject({ _id: id, name: z.string(), slug: z.string(), mugShot: link })
export const characters = list(characterRow)
export const character = z.strictObject({
  _id: id,
  name: z.string(),
  slug: z.string(),
  akas: texts,
  gameIds: ids,
  gender: text,
  species: text,
  countryName: text,
  description: text,
  mugShot: link,
  createdAt: date,
  updatedAt: date,
})
export const platforms = z.array(
  z.strictObject({
    _id: id,
    name: z.string(),
    slug: z.string(),
    igdbId: z.int().optional(),
    vndbId: text,
    raConsoleId: z.int().optional(),
  }),
)

// Section 8
const requestFields = {
  _id: id,
  kind: z.enum(['game', 'character']),
  action: z.enum(['add', 'update']),
  status: z.enum(['pending', 'approved', 'rejected', 'withdrawn']),
  targetId: id.nullable(),
  targetName: z.string().nullable(),
  targetSlug: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()),
  sources: z.array(z.string()),
  note: z.string().nullable(),
  reason: z.string().nullable(),
  appliedFields: z.array(z.string()),
  failedFields: z.array(z.string()),
  userId: id,
  userName: z.string().nullable(),
  resultId: id.nullable(),
  resultSlug: z.string().nullable(),
  createdAt: date,
  decidedAt: date.nullable(),
  decidedBy: id.nullable(),
}
export const request = z.strictObject(requestFields)
export const requests = list(request)
const claim = {
  claimedAt: date.nullable(),
  claimedBy: id.nullable(),
  lastFailure: z.strictObject({ at: date, message: z.string(), requestId: z.string() }).nullable(),
}
const requestForAdmin = z.strictObject({ ...requestFields, ...claim })
export const requestsForAdmin = list(requestForAdmin)
export const requestWithCurrent = z.strictObject({
  ...requestFields,
  ...claim,
  current: z.record(z.string(), z.unknown()).nullable(),
})
export const decidedRequest = z.strictObject({
  request: requestForAdmin,
  failedImages: z.array(z.string()),
  warnings: z.array(z.string()),
})
export const duplicates = z.strictObject({
  statusCode: z.literal(409),
  error: z.string(),
  message: z.literal('This game may already exist in the catalogue'),
  duplicates: z.array(z.strictObject({ _id: id, name: z.string(), slug: z.string(), score: points })).min(1),
})

/** Every event that the service sends, by its name. */
export const events: Record<string, z.ZodType> = {
  'comment:created': z.strictObject({
    gameId: id,
    commentId: id,
    parentId: id.nullable(),
    parentRepliesCount: count.nullable(),
  }),
  'comment:updated': z.strictObject({
    gameId: id,
    commentId: id,
    body: z.string(),
    isSpoiler: z.boolean(),
    updatedAt: date,
  }),
  'comment:status': z.strictObject({
    gameId: id,
    commentId: id,
    parentId: id.nullable(),
    parentRepliesCount: count.nullable(),
    status: z.enum(['visible', 'hidden', 'deleted']),
  }),
  'comment:likes': z.strictObject({ gameId: id, commentId: id, likesCount: count }),
  'royal:changed': z.strictObject({ royalGames: z.array(id).max(500) }),
  'conflict:decided': z.strictObject({
    source,
    externalId: z.string(),
    state: z.enum(['queued-match', 'queued-new', 'waiting']),
    decidedBy: z.string().nullable(),
  }),
  'conflicts:applied': z.strictObject({ source, externalIds: z.array(z.string()).min(1) }),
}
