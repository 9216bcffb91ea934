import { z } from 'zod'
import { Comment, ModerationReason } from './comments.ts'
import { Id, IsoDate, SentDate } from './ids.ts'
import { REPORT_NOTE_MAX } from './limits.ts'
import { listSchema, pageQuery } from './pages.ts'
import { trimmedText } from './texts/text.ts'

export const ReportReason = z.enum(['spam', 'abuse', 'spoiler', 'off-topic', 'other'])
export type ReportReason = z.infer<typeof ReportReason>

export const ReportOutcome = z.enum(['acted-on', 'kept'])
export type ReportOutcome = z.infer<typeof ReportOutcome>

export const ReportCommentBody = z.object({
  reason: ReportReason.optional(),
  note: trimmedText(REPORT_NOTE_MAX).optional(),
})

export const ReportDecisionParams = z.object({ commentId: Id })
export const ReportDecisionBody = z.object({
  action: z.enum(['hide', 'delete', 'keep']),
  reason: ModerationReason,
  /** The `updatedAt` of the text that was read. A decision about an older version is refused. */
  updatedAt: SentDate.optional(),
})

const count = z.int().nonnegative()
export const CommentCounts = z.object({ visible: count, hidden: count, deleted: count })
export const ReportCounts = z.object({ open: count, actedOn: count, kept: count })

export const ReportsQuery = z.object({
  ...pageQuery(20),
  status: z.enum(['open', 'resolved']).default('open'),
  /** Filters open reports: `true` lists only comments that wait for a moderator, `false` all others. */
  held: z.enum(['true', 'false']).optional(),
})
export type ReportsQuery = z.output<typeof ReportsQuery>

const Person = z.object({ _id: Id, userName: z.string() })

/** A comment with its open or its decided reports. */
export const ReportedComment = z.object({
  comment: Comment,
  /** The discussion; its title is the name of the game. Null when the game is gone. */
  thread: z.object({ title: z.string(), slug: z.string() }).nullable(),
  /** The author's record in numbers, of all comments. */
  record: CommentCounts.extend({ reports: ReportCounts }),
  /** Numbers of reports by reason. `count` alone includes reports without a reason. `held` is 1 for a held comment. */
  reasons: z.partialRecord(z.enum([...ReportReason.options, 'held']), z.int().positive()),
  count,
  /** The newest five reports. `reporter` is null for a deleted user. */
  newest: z.array(
    z.object({
      reporter: Person.nullable(),
      reason: ReportReason.nullable(),
      note: z.string().nullable(),
      at: IsoDate,
    }),
  ),
  firstAt: IsoDate,
  lastAt: IsoDate,
  /** The newest decision; null for open reports. `by` is null when nobody decided, or when the admin is gone. */
  resolution: z
    .object({ outcome: ReportOutcome, by: Person.nullable(), at: IsoDate, reason: z.string().nullable() })
    .nullable(),
})
export type ReportedComment = z.infer<typeof ReportedComment>

export const ReportList = listSchema(ReportedComment)
export type ReportList = z.infer<typeof ReportList>
