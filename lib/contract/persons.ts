import { z } from 'zod'
import { Comment } from './comments.ts'
import { Id, IdParams, IsoDate, SentDate } from './ids.ts'
import { PERSON_TEXT_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { CommentCounts, ReportCounts } from './reports.ts'
import { AdminContentRequest } from './requests.ts'
import { trimmedText } from './texts/text.ts'
import { isVisible } from './texts/visible-text.ts'
import { UserProfile } from './users.ts'

const PersonText = trimmedText(PERSON_TEXT_MAX).refine(isVisible, MESSAGES.textUnseen)

const End = SentDate.meta({ examples: ['2100-01-01T00:00:00.000Z'] }).nullable()
/** `until` is null for good. */
export const SuspendBody = z.object({ until: End, reason: PersonText })
export type SuspendBody = z.output<typeof SuspendBody>

const Suspension = z.object({ until: IsoDate.nullable(), reason: z.string(), at: IsoDate })

/** The suspension of a user; null without one. */
export const SuspensionState = z.object({ _id: Id, suspension: Suspension.nullable() })
export type SuspensionState = z.infer<typeof SuspensionState>

/** `since` leaves older comments visible. */
export const HideCommentsBody = z.object({ since: SentDate.optional() })
export type HideCommentsBody = z.output<typeof HideCommentsBody>

export const HideActParams = IdParams.extend({ actId: Id })

/** An act on all comments of a user, by which it is undone. */
export const HideAct = z.object({ actId: Id })
export type HideAct = z.infer<typeof HideAct>

/** `endedAt` is when an admin ended or replaced it. */
export const PastSuspension = Suspension.extend({ endedAt: IsoDate.nullable() })
export type PastSuspension = z.infer<typeof PastSuspension>

/** A note about a user. Only admins read it. */
export const NoteBody = z.object({ text: PersonText.min(1) })

export const UserNote = z.object({ _id: Id, at: IsoDate, by: z.string().nullable(), text: z.string() })
export type UserNote = z.infer<typeof UserNote>

const count = z.int().nonnegative()

/** The whole record of a user, for admins. */
export const UserRecord = z.object({
  user: UserProfile,
  comments: CommentCounts,
  requests: z.object({ pending: count, approved: count, rejected: count, withdrawn: count }),
  reports: z.object({ made: ReportCounts, received: ReportCounts }),
  suspension: Suspension.nullable(),
  suspensions: z.array(PastSuspension),
  /** At most ten addresses of the last 30 days, also of ended sessions, the last used first. An IPv6 address is its /64. */
  addresses: z.array(z.object({ address: z.string(), lastUsedAt: IsoDate })),
  /** At most ten other accounts with one of these addresses. */
  sharing: z.array(z.object({ _id: Id, userName: z.string(), address: z.string() })),
  notes: z.array(UserNote),
  /** The newest acts on all comments. `count` is null until the act has ended. */
  acts: z.array(HideAct.extend({ at: IsoDate, count: count.nullable(), isUndone: z.boolean() })),
  lastComments: z.array(Comment),
  lastRequests: z.array(AdminContentRequest),
})
export type UserRecord = z.infer<typeof UserRecord>
