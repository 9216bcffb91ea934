import { z } from 'zod'
import { NotificationPayload, NotificationType } from '#lib/contract/notifications'
import { id, orNull, type ReadBy, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

const { status, outcome } = NotificationPayload.shape

export const RequestFacts = z.object({
  kind: z.enum(['game', 'character']),
  action: z.enum(['add', 'update']),
  name: z.string().nullable(),
  status: z.enum(['approved', 'rejected']),
  appliedFields: z.array(z.string()),
  leftOut: z.array(z.string()),
  failedFields: z.array(z.string()),
  reason: z.string().nullable(),
})
export type RequestFacts = z.infer<typeof RequestFacts>

export const ModerationFacts = z.object({ status: status.unwrap(), reason: z.string().nullable().default(null) })
const ReportFacts = z.object({ outcome: outcome.unwrap() })
const SuspensionFacts = z.object({ until: z.date().nullable(), reason: z.string() })

const Facts = z.union([RequestFacts, ModerationFacts, ReportFacts, SuspensionFacts])

const readable = {
  _id: id,
  userId: id,
  type: NotificationType,
  count: z.number().catch(1),
  /** The newest three different users, newest first. */
  actors: readableArray(z.object({ _id: id, userName: z.string() })).catch([]),
  actorsCount: z.number().catch(0),
  gameId: orNull(id),
  commentId: orNull(id),
  requestId: orNull(id),
  facts: orNull(Facts),
  isRead: z.boolean().catch(false),
  createdAt: z.date(),
  /** The time of the newest event in the notification, unique within a user. The list is in this order. */
  updatedAt: z.date(),
}

export interface NotificationDocument extends ReadBy<typeof readable> {
  /** Events with one key share a notification while it is unread: `reply:<comment answered>`, `request:<id>`, … */
  key: string
  rev: number
  /** `<user id>:<random id>`, new with each write. The change stream shows only changed fields, so this field names the user to it. */
  changeOf: string
}

const NINETY_DAYS_SECONDS = 90 * 24 * 60 * 60
/** Finds the unread notifications of a user, one for each key. The index includes the type, to count without documents. */
export const UNREAD_BY_KEY = { userId: 1, key: 1, isRead: 1, type: 1 } as const
export const NEWEST_FIRST = { userId: 1, updatedAt: -1 } as const

export const notifications: CollectionDefinition<NotificationDocument> = {
  name: 'notifications',
  indexes: [
    { name: 'unread_key', key: UNREAD_BY_KEY, unique: true, partialFilterExpression: { isRead: false } },
    { name: 'newest_first', key: NEWEST_FIRST, unique: true },
    { key: { 'actors._id': 1 } },
    { key: { updatedAt: 1 }, expireAfterSeconds: NINETY_DAYS_SECONDS },
  ],
  lists: ['actors._id'],
  readable,
}
