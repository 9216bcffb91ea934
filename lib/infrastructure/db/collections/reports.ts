import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import { ReportOutcome, ReportReason } from '#lib/contract/reports'
import { id, orNull } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

/** A report of a comment by one user, who has one of each comment. It is open until somebody decides. */
export interface ReportDocument {
  _id: ObjectId
  commentId: ObjectId
  gameId: ObjectId
  /** The author of the comment. */
  authorId: ObjectId
  reporterId: ObjectId
  reason: ReportReason | null
  note: string | null
  at: Date
  /** Null while the report is open, as the next three. */
  outcome: ReportOutcome | null
  by: ObjectId | null
  decidedAt: Date | null
  decisionReason: string | null
}

/** One of each comment and reporter. */
export const OF_COMMENT = { commentId: 1, reporterId: 1 } as const
/** Lists and counts the reports that a user made. */
export const OF_REPORTER = { reporterId: 1, outcome: 1 } as const
/** Counts the reports that an author got. */
export const OF_REPORTED = { authorId: 1, outcome: 1 } as const

export const reports: CollectionDefinition<ReportDocument> = {
  name: 'reports',
  indexes: [
    {
      key: OF_COMMENT,
      name: 'comment_reporter',
      unique: true,
      partialFilterExpression: { reporterId: { $exists: true } },
    },
    { key: { commentId: 1, outcome: 1 } },
    { key: OF_REPORTER },
    { key: OF_REPORTED },
  ],
  readable: {
    _id: id,
    commentId: id,
    gameId: id,
    authorId: id,
    reporterId: id,
    reason: orNull(ReportReason),
    note: orNull(z.string()),
    at: z.date(),
    outcome: orNull(ReportOutcome),
    by: orNull(id),
    decidedAt: orNull(z.date()),
    decisionReason: orNull(z.string()),
  },
}
