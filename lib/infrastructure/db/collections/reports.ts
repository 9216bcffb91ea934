import type { ObjectId } from 'mongodb'
import type { ReportOutcome, ReportReason } from '#lib/contract/reports'
import type { CollectionDefinition } from './collection-definition.ts'

/** A report of a comment by one user, who has one of each comment. It is open until somebody decides. */
export interface ReportDocument {
  _id: ObjectId
  commentId: ObjectId
  gameId: ObjectId
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
  /** The act on all comments of the author that decided, whose undoing opens the report again. */
  actId?: ObjectId
}

export const OF_REPORTER = { reporterId: 1, outcome: 1 } as const

export const reports: CollectionDefinition<ReportDocument> = {
  name: 'reports',
  indexes: [
    { key: { commentId: 1, reporterId: 1 }, name: 'comment_reporter', unique: true },
    { key: OF_REPORTER },
    { key: { authorId: 1, outcome: 1 } },
  ],
}
