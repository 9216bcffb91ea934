import { z } from 'zod'
import { Id, IsoDate } from './ids.ts'
import { DATE_TEXT_MAX, NOTIFICATIONS_READ_MAX, NOTIFICATIONS_TAKE_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { listSchema, pageQuery } from './pages.ts'
import { text } from './text.ts'

export const NotificationType = z.enum(['reply', 'request', 'moderation'])
export type NotificationType = z.infer<typeof NotificationType>

/** The result of a content request by field. A field with some of its images copied is both applied and failed. */
export const RequestFacts = z
  .object({
    kind: z.enum(['game', 'character']),
    action: z.enum(['add', 'update']),
    /** The proposed or corrected entry. */
    name: z.string().nullable(),
    status: z.enum(['approved', 'rejected']),
    appliedFields: z.array(z.string()),
    leftOut: z.array(z.string()),
    failedFields: z.array(z.string()),
    reason: z.string().nullable(),
  })
  .meta({ id: 'RequestFacts' })
export type RequestFacts = z.infer<typeof RequestFacts>

export const ModerationFacts = z
  .object({ status: z.enum(['visible', 'hidden', 'deleted']) })
  .meta({ id: 'ModerationFacts' })
export type ModerationFacts = z.infer<typeof ModerationFacts>

/** A notification of a user. Fields that do not apply to its `type` are null; `actors` are the newest three, newest first. */
export const Notification = z
  .object({
    _id: Id,
    type: NotificationType,
    count: z.int().positive(),
    actors: z.array(z.object({ _id: Id, userName: z.string() })),
    gameId: Id.nullable(),
    gameName: z.string().nullable(),
    gameSlug: z.string().nullable(),
    commentId: Id.nullable(),
    requestId: Id.nullable(),
    facts: z.union([RequestFacts, ModerationFacts]).nullable(),
    /** The text of the newest reply, empty for a spoiler and for an unreadable one; null unless it is a reply. */
    excerpt: z.string().nullable(),
    isRead: z.boolean(),
    createdAt: IsoDate,
    updatedAt: IsoDate,
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

export const NotificationList = listSchema(Notification)
  .extend({ unread: z.int().nonnegative() })
  .meta({ id: 'NotificationList' })
export type NotificationList = z.infer<typeof NotificationList>

export const NotificationsQuery = z.object({
  ...pageQuery(20, NOTIFICATIONS_TAKE_MAX),
  /** `true` lists the unread ones only. */
  unread: z.literal('true').optional(),
})
export type NotificationsQuery = z.output<typeof NotificationsQuery>

/** Either `ids`, or `until`: every notification whose `updatedAt` is not newer. */
export const ReadNotificationsBody = z
  .union(
    [
      z.strictObject({ ids: z.array(Id).min(1).max(NOTIFICATIONS_READ_MAX) }),
      z.strictObject({ until: text(DATE_TEXT_MAX).pipe(IsoDate) }),
    ],
    MESSAGES.readForm,
  )
  .meta({ id: 'ReadNotificationsBody' })
export type ReadNotificationsBody = z.output<typeof ReadNotificationsBody>

export const UnreadCount = z.object({ unread: z.int().nonnegative() }).meta({ id: 'UnreadCount' })
export type UnreadCount = z.infer<typeof UnreadCount>
