import { z } from 'zod'
import { Id, IsoDate, SentDate } from './ids.ts'
import { NOTIFICATIONS_READ_MAX, TAKE_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { wholeNumber } from './pages.ts'

export const NotificationType = z.enum([
  'comment-reply',
  'request-decided',
  'comment-moderated',
  'report-decided',
  'account-suspended',
])
export type NotificationType = z.infer<typeof NotificationType>

/** The types that every client knows. The others are listed, counted and sent for `types=all` only. */
export const COMMON_TYPES = [
  'comment-reply',
  'request-decided',
  'comment-moderated',
] as const satisfies NotificationType[]

/** The content of a notification. Fields that do not apply to its type are null. */
export const NotificationPayload = z.object({
  gameSlug: z.string().nullable(),
  gameName: z.string().nullable(),
  decision: z.enum(['approve', 'reject']).nullable(),
  requestKind: z.enum(['game', 'character']).nullable(),
  /** The proposed or corrected entry. */
  requestName: z.string().nullable(),
  reason: z.string().nullable(),
  /** The status of a moderated comment. */
  status: z.enum(['visible', 'hidden', 'deleted']).nullable(),
  commentId: Id.nullable(),
  gameId: Id.nullable(),
  requestId: Id.nullable(),
  /** The text of the newest reply, empty for a spoiler and for an unreadable one; null unless it is a reply. */
  excerpt: z.string().nullable(),
  /** The fields of a decided request. A field with some of its images copied is both applied and failed. */
  appliedFields: z.array(z.string()).nullable(),
  leftOut: z.array(z.string()).nullable(),
  failedFields: z.array(z.string()).nullable(),
  /** The outcome of a report. */
  outcome: z.enum(['acted-on', 'kept']).nullable(),
  /** The number of grouped events; 1 unless the notification is grouped. */
  count: z.int().positive(),
  /** The end of a suspension. */
  until: IsoDate.nullable(),
})
export type NotificationPayload = z.infer<typeof NotificationPayload>

export const Notification = z.object({
  _id: Id,
  type: NotificationType,
  /** The newest three, newest first. */
  actors: z.array(z.object({ _id: Id, userName: z.string() })),
  /** The number of different people. */
  actorsCount: z.int().nonnegative(),
  payload: NotificationPayload,
  isRead: z.boolean(),
  createdAt: IsoDate,
  /** The time of its newest change, unique among the user's notifications. Reading does not change it. */
  updatedAt: IsoDate,
})
export type Notification = z.infer<typeof Notification>

export const UnreadCount = z.object({ unreadCount: z.int().nonnegative() })
export type UnreadCount = z.infer<typeof UnreadCount>

export const NotificationList = z.object({
  items: z.array(Notification),
  ...UnreadCount.shape,
  /** `before` of the next page; null on the last one. */
  nextCursor: IsoDate.nullable(),
})
export type NotificationList = z.infer<typeof NotificationList>

export const NotificationTypesQuery = z.object({
  /** Includes the types that not every client knows. */
  types: z.enum(['all']).optional(),
})
/** The types that a client requests: all of them, or by default those that every client knows. */
export type NotificationTypes = z.output<typeof NotificationTypesQuery>['types']

export const NotificationsQuery = NotificationTypesQuery.extend({
  /** The `updatedAt` of the last notification read. */
  before: SentDate.optional(),
  take: wholeNumber('take', 1, TAKE_MAX).default(20),
  /** `true` lists the unread ones only. */
  unread: z.enum(['true', 'false']).optional(),
})
export type NotificationsQuery = z.output<typeof NotificationsQuery>

/** `ids`, all, or `until`: every notification whose `updatedAt` is not newer. */
export const ReadNotificationsBody = z.union(
  [
    z.strictObject({ ids: z.array(Id).min(1).max(NOTIFICATIONS_READ_MAX) }),
    z.strictObject({ all: z.literal(true) }),
    z.strictObject({ until: SentDate }),
  ],
  MESSAGES.readForm,
)
export type ReadNotificationsBody = z.output<typeof ReadNotificationsBody>
