import { z } from 'zod'
import { GameCompany } from './catalogue.ts'
import { Id, IsoDate } from './ids.ts'
import { CONFLICT_DAYS_MAX, CONFLICT_SEARCH_MAX, EXTERNAL_ID_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { listSchema, pageQuery, wholeNumber } from './pages.ts'
import { SOURCE_POLICIES, Source } from './sources.ts'
import { text } from './texts/text.ts'

export const ConflictState = z.enum(['waiting', 'queued-match', 'queued-new', 'matched', 'new-game'])
export type ConflictState = z.infer<typeof ConflictState>

/** The candidates of a conflict: games of the catalogue, or for `hltb` entries of the source. */
const ConflictDirection = z.enum(['games', 'entries'])

/** The reason why a parser left the decision to a person. */
export const ConflictReason = z.enum([
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
export type ConflictReason = z.infer<typeof ConflictReason>

export const ConflictSummaryQuery = z.object({ source: Source.optional() })

/** `pending` conflicts wait for a decision, `applying` ones for the writer. `first…` is the oldest pending conflict. */
export const ConflictSummary = z.object({
  pending: z.int(),
  applying: z.int(),
  firstExternalId: z.string().nullable(),
  firstSource: Source.nullable(),
  bySource: z.object({ vndb: z.int(), igdb: z.int(), hltb: z.int(), ra: z.int() } satisfies Record<Source, z.ZodInt>),
})
export type ConflictSummary = z.infer<typeof ConflictSummary>

/** `automatic` selects decisions of the matcher, or all others. `days` selects decisions of the matcher of so many last days. */
export const ConflictListQuery = z.object({
  source: Source.optional(),
  state: ConflictState.optional(),
  automatic: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  days: wholeNumber('days', 1, CONFLICT_DAYS_MAX).optional(),
  search: text(CONFLICT_SEARCH_MAX, undefined, MESSAGES.searchTooLong).trim().optional(),
  ...pageQuery(20),
})
export type ConflictListQuery = z.infer<typeof ConflictListQuery>

/** `winners` is the game of a match, or the game that a skip created. `isAutomatic` is true when the matcher decided. */
export const ConflictRow = z.object({
  source: Source,
  direction: ConflictDirection,
  externalId: z.string(),
  externalName: z.string(),
  reason: ConflictReason.nullable(),
  state: ConflictState,
  isAutomatic: z.boolean(),
  candidates: z.array(z.object({ gameId: Id, name: z.string(), slug: z.string(), score: z.number() })),
  entries: z.array(z.object({ id: z.string(), name: z.string() })),
  winners: z.array(z.object({ _id: Id, name: z.string(), slug: z.string() })),
})
export type ConflictRow = z.infer<typeof ConflictRow>

export const ConflictList = listSchema(ConflictRow)
export type ConflictList = z.infer<typeof ConflictList>

/** The waiting conflicts of a game: the conflict about the game, then those with the game as a candidate, oldest first. */
export const ConflictsByGame = z.array(z.object({ source: Source, externalId: z.string(), externalName: z.string() }))
export type ConflictsByGame = z.infer<typeof ConflictsByGame>

/** `externalId` is the entry in the source; for `hltb` the id of the catalogue game. */
export const ConflictParams = z
  .object({ source: Source, externalId: text(EXTERNAL_ID_MAX).min(1) })
  .transform(({ source, externalId }, { issues }) => {
    if (SOURCE_POLICIES[source].direction === 'games') return { source, externalId }
    const gameId = Id.safeParse(externalId)
    if (gameId.success) return { source, externalId: gameId.data }
    issues.push({ code: 'custom', path: ['externalId'], message: MESSAGES.invalidId, input: externalId })
    return z.NEVER
  })
export type ConflictParams = z.infer<typeof ConflictParams>

/** The entry; for `hltb` the catalogue game. `originalName` is the name when the source has no other. */
export const ConflictSubject = z.object({
  name: z.string(),
  originalName: z.string(),
  alternativeNames: z.array(z.string()),
  description: z.string(),
  released: z.string().nullable(),
  developers: z.array(z.string()),
  platformIds: z.array(Id),
  lengthMinutes: z.number().nullable(),
  cover: z.string().nullable(),
  isExplicitCover: z.boolean(),
  url: z.string().nullable(),
})
export type ConflictSubject = z.infer<typeof ConflictSubject>

/** The current game. `firstRelease` in Unix seconds; `linkedExternalId` is its entry of this source. */
export const CandidateGame = z.object({
  cover: z.string().nullable(),
  type: z.string().nullable(),
  summary: z.string().nullable(),
  alternativeNames: z.array(z.string()),
  companies: z.array(GameCompany),
  firstRelease: z.number().nullable(),
  platformIds: z.array(Id),
  isCustom: z.boolean(),
  linkedExternalId: z.string().nullable(),
})
export type CandidateGame = z.infer<typeof CandidateGame>

/** Signed points: ten times the decimal logarithm of the evidence for the same game; 0 when not compared. */
const ConflictBreakdown = z.object({
  title: z.number(),
  companies: z.number(),
  date: z.number(),
  platforms: z.number(),
  genre: z.number(),
  type: z.number(),
})

/** `score` in points from 0 to 100, 100 when found by hand. `game` is null once it is deleted. */
export const ConflictCandidate = z.object({
  gameId: Id,
  name: z.string(),
  slug: z.string(),
  score: z.number(),
  breakdown: ConflictBreakdown,
  isManual: z.boolean(),
  dateSignal: z.enum(['confirms', 'contradicts', 'unknown']),
  descriptionSignal: z.enum(['match', 'mismatch', 'unknown']),
  hasCompanyMismatch: z.boolean(),
  matchedTitle: z.string().nullable(),
  game: CandidateGame.nullable(),
})
export type ConflictCandidate = z.infer<typeof ConflictCandidate>

/** `score` in points from 0 to 100; `details` are short facts such as `Main story 12 h`. */
export const ConflictEntry = z.object({
  id: z.string(),
  name: z.string(),
  score: z.number().nullable(),
  releaseYear: z.number().nullable(),
  platforms: z.array(z.string()),
  cover: z.string().nullable(),
  url: z.string().nullable(),
  details: z.array(z.string()),
})
export type ConflictEntry = z.infer<typeof ConflictEntry>

/** `remaining` counts the waiting conflicts of this source; `failure` says why the last decision was sent back. */
export const ConflictItem = z.object({
  id: Id,
  source: Source,
  direction: ConflictDirection,
  isMultiMatch: z.literal(false),
  externalId: z.string(),
  reason: ConflictReason.nullable(),
  state: ConflictState,
  isAutomatic: z.boolean(),
  remaining: z.int(),
  nextExternalId: z.string().nullable(),
  decidedBy: z.string().nullable(),
  failure: z.object({ message: z.string(), at: IsoDate }).nullable(),
  subject: ConflictSubject.nullable(),
  candidates: z.array(ConflictCandidate),
  entries: z.array(ConflictEntry),
})
export type ConflictItem = z.infer<typeof ConflictItem>

/** `item` is null for an unknown conflict. */
export const FoundConflict = z.object({ item: ConflictItem.nullable() })

/** The first problem of the form with fewer problems, where there is one. */
function closestMessage(errors: readonly (readonly { message: string }[])[] = []): string {
  const [closest, other] = errors.toSorted((one, another) => one.length - another.length)
  const isClear = closest !== undefined && closest.length < (other?.length ?? 0)
  return (isClear ? closest[0]?.message : undefined) ?? MESSAGES.decisionForm
}

/** Null skips: the entry gets a game of its own (`vndb`, `igdb`), or stays unlinked. */
export const DecisionBody = z.union(
  [z.strictObject({ gameId: Id.nullable() }), z.strictObject({ entryId: text(EXTERNAL_ID_MAX).min(1).nullable() })],
  { error: (issue) => closestMessage(issue.code === 'invalid_union' ? issue.errors : []) },
)
export type DecisionBody = z.infer<typeof DecisionBody>

export const CandidateBody = z.object({ gameId: Id })
