import { z } from 'zod'
import { Id, IsoDate } from './ids.ts'
import * as limits from './limits.ts'
import { MESSAGES } from './messages.ts'
import { OBJECT_ID } from './object-id.ts'
import { listSchema, pageQuery } from './pages.ts'
import { linkList } from './proposals/field-schemas.ts'
import { CharacterPayload, GamePayload } from './proposals/payload.ts'
import { text, trimmedText } from './texts/text.ts'
import { isVisible } from './texts/visible-text.ts'

export const RequestKind = z.enum(['game', 'character'])
export type RequestKind = z.infer<typeof RequestKind>

const RequestAction = z.enum(['add', 'update'])

export const RequestStatus = z.enum(['pending', 'approved', 'rejected', 'withdrawn'])
export type RequestStatus = z.infer<typeof RequestStatus>

/** Accepts a missing or invisible text as null. */
const optionalText = (max: number) =>
  trimmedText(max)
    .nullish()
    .transform((sent) => (sent && isVisible(sent) ? sent : null))

type Naming = Readonly<Record<string, 'string' | 'integer'>>

/** The body for one kind. `anyOf` documents rules that are checked below: the payload of an `add` has one of `naming`. */
const createBodySchema = <K extends RequestKind, P extends z.ZodType>(kind: K, payload: P, naming: Naming) =>
  z
    .object({
      kind: z.literal(kind),
      action: RequestAction,
      // Checked below, for an `update` alone.
      targetId: z.unknown().optional().meta({ description: 'Of an `update`; an `add` ignores it.' }),
      payload,
      sources: linkList(limits.REQUEST_SOURCES_MAX).default([]),
      note: optionalText(limits.REQUEST_NOTE_MAX),
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

/** True when a payload names a new entry sufficiently. */
export const isIdentified = (fields: Partial<Record<'name' | 'igdbId' | 'vndbId', unknown>>): boolean =>
  fields.name !== undefined || fields.igdbId !== undefined || fields.vndbId !== undefined

const countBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** `targetId` is that of an `update`; an `add` needs a `name`, for a game an `igdbId` or a `vndbId` does as well. */
export const CreateRequestBody = z
  .discriminatedUnion(
    'kind',
    [
      createBodySchema('game', GamePayload, { name: 'string', igdbId: 'integer', vndbId: 'string' }),
      createBodySchema('character', CharacterPayload, { name: 'string' }),
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
    const { payload, sources, note } = request
    if (countBytes({ payload, sources, note }) > limits.REQUEST_MAX_BYTES) return refuse([], MESSAGES.requestTooLarge)
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
export type CreateRequestBody = z.output<typeof CreateRequestBody>

/** `fields` are keys of the payload, all of them when left out; a reject ignores them. `lockSync` is for games. */
export const RequestDecisionBody = z
  .object({
    decision: z.enum(['approve', 'reject']),
    fields: z
      .array(text(60))
      .max(100)
      .meta({ description: 'Keys of the payload, at least one of them; all when left out.' })
      .optional(),
    reason: optionalText(limits.REQUEST_REASON_MAX),
    lockSync: z.boolean().default(false),
    force: z.boolean().default(false),
  })
  .refine(({ decision, reason }) => decision === 'approve' || reason !== null, {
    path: ['reason'],
    message: MESSAGES.reasonMissing,
  })
  .meta({
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

/**
 * `payload` holds the proposed values, as in `GamePayload` or `CharacterPayload`. `failedFields` are fields with images that
 * could not be copied; `appliedFields` has such a field too when other images of it were copied. A field whose whole value
 * was left out is in neither. `decidedBy` is the id of an admin.
 */
export const ContentRequest = z.object({
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
  failedFields: z.array(z.string()),
  /** Null once the author has deleted the account. */
  userId: Id.nullable(),
  userName: z.string().nullable(),
  resultId: Id.nullable(),
  resultSlug: z.string().nullable(),
  createdAt: IsoDate,
  decidedAt: IsoDate.nullable(),
  decidedBy: Id.nullable(),
})
export type ContentRequest = z.infer<typeof ContentRequest>

/** The last failed approval, with the message that its admin read and the request id of its log lines. */
const LastFailure = z.object({ at: IsoDate, message: z.string(), requestId: z.string() })

/** `claim` belongs to the admin who is deciding the request; the next decision clears `lastFailure`. */
export const AdminContentRequest = ContentRequest.extend({
  claimedAt: IsoDate.nullable(),
  claimedBy: Id.nullable(),
  lastFailure: LastFailure.nullable(),
})
export type AdminContentRequest = z.infer<typeof AdminContentRequest>

/** `current` has the keys of the payload with the target's values, null for missing ones; null for an `add`. */
export const ReviewedRequest = AdminContentRequest.extend({ current: Values.nullable() })
export type ReviewedRequest = z.infer<typeof ReviewedRequest>

export const ContentRequestList = listSchema(ContentRequest)
export type ContentRequestList = z.infer<typeof ContentRequestList>

export const AdminContentRequestList = listSchema(AdminContentRequest)
export type AdminContentRequestList = z.infer<typeof AdminContentRequestList>

export const MyRequestsQuery = z.object(pageQuery(20, limits.REQUESTS_TAKE_MAX))

export const RequestsQuery = z.object({
  status: RequestStatus.optional(),
  kind: RequestKind.optional(),
  /** Order by age. By default pending requests come oldest first, all others newest first. */
  order: z.enum(['oldest', 'newest']).optional(),
  ...pageQuery(20, limits.REQUESTS_TAKE_MAX),
})
export type RequestsQuery = z.infer<typeof RequestsQuery>

/** `failedImages` are links of the payload that could not be copied, `warnings` full sentences. */
export const RequestDecisionAnswer = z.object({
  request: AdminContentRequest,
  failedImages: z.array(z.string()),
  warnings: z.array(z.string()),
})
export type RequestDecisionAnswer = z.infer<typeof RequestDecisionAnswer>
