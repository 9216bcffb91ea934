import type { Filter, ObjectId, Sort } from 'mongodb'
import { ReportedComment, type ReportsQuery } from '../../contract/reports.ts'
import { type CommentDocument, MOST_DECIDED, MOST_REPORTED } from '../../infrastructure/db/collections/comments.ts'
import type { ReportDocument } from '../../infrastructure/db/collections/reports.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { toContract } from '../../infrastructure/db/to-contract.ts'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentRow } from '../comments/comment-row.ts'
import type { ShowDeps } from '../comments/deps.ts'
import { findCommentRows } from '../comments/read-page.ts'
import { commentsToWire } from '../comments/to-wire.ts'
import { readRecords } from './read-records.ts'

const NEWEST = 5
const REPORTED: Filter<CommentDocument> = { reportsCount: { $gt: 0 } }
/** Held comments. The condition on the count lets the index serve them, because the index begins with the count. */
const HELD: Filter<CommentDocument> = { heldAt: { $exists: true }, reportsCount: { $gte: 0 } }

function chooseList({ status, held }: ReportsQuery): { filter: Filter<CommentDocument>; sort: Sort } {
  if (status === 'resolved') return { filter: { decidedReportsCount: { $gt: 0 } }, sort: MOST_DECIDED }
  if (held === undefined) return { filter: { $or: [REPORTED, HELD] }, sort: MOST_REPORTED }
  return { filter: held === 'true' ? HELD : { ...REPORTED, heldAt: { $exists: false } }, sort: MOST_REPORTED }
}

interface Summary {
  _id: ObjectId
  reasons: ReportDocument['reason'][]
  firstAt: Date
  newest: ReportDocument[]
  /** The report with the last decision. */
  decided: ReportDocument
}

/** Sums up the open or the decided reports of comments, by the id of the comment. */
async function summarize({ db }: ShowDeps, ids: readonly ObjectId[], { status }: ReportsQuery) {
  const stages = [
    { $match: { commentId: { $in: [...ids] }, outcome: status === 'open' ? null : { $ne: null } } },
    {
      $group: {
        _id: '$commentId',
        reasons: { $push: '$reason' },
        firstAt: { $min: '$at' },
        newest: { $topN: { n: NEWEST, sortBy: { at: -1 }, output: '$$ROOT' } },
        decided: { $top: { sortBy: { decidedAt: -1 }, output: '$$ROOT' } },
      },
    },
  ]
  const found = await db.reports.aggregate<Summary>(stages).toArray()
  return new Map(found.map((summary) => [summary._id.toHexString(), summary]))
}

function countReasons(row: CommentRow, reasons: Summary['reasons']): ReportedComment['reasons'] {
  const counts: ReportedComment['reasons'] = {}
  for (const reason of reasons) if (reason) counts[reason] = (counts[reason] ?? 0) + 1
  return row.heldAt === undefined ? counts : { ...counts, held: 1 }
}

/** Lists comments with open or decided reports, and comments held for a moderator; most reports first. */
export async function listReports(deps: ShowDeps, { viewer, ...query }: ReportsQuery & { viewer: SessionUser }) {
  const { comments, games, users } = deps.db
  const { filter, sort } = chooseList(query)
  const [rows, total] = await Promise.all([
    findCommentRows(deps, filter, { sort, ...query, viewer }),
    comments.countDocuments(filter),
  ])
  const ids = rows.map(({ _id }) => _id)
  const gameIds = rows.map(({ gameId }) => gameId)
  const authorIds = rows.map(({ userId }) => userId)
  const [shown, summaries, records, threads] = await Promise.all([
    commentsToWire(deps, rows, viewer),
    summarize(deps, ids, query),
    readRecords(deps, authorIds),
    mapByIds<{ _id: ObjectId; name: string; slug: string }>(games, gameIds, { name: 1, slug: 1 }),
  ])
  const named = [...summaries.values()].flatMap(({ newest, decided: { by } }) => [
    ...newest.map(({ reporterId }) => reporterId),
    ...(by ? [by] : []),
  ])
  const people = await mapByIds<{ _id: ObjectId; userName: string }>(users, named, { userName: 1 })
  const toPerson = (id: ObjectId | null) => id && people.get(id.toHexString())
  const results = rows.map((row, index) => {
    const summary: Partial<Summary> = summaries.get(row._id.toHexString()) ?? {}
    const { reasons = [], newest = [], firstAt, decided } = summary
    const thread = threads.get(row.gameId.toHexString())
    const heldAt = row.heldAt ?? row.createdAt
    return toContract(ReportedComment, {
      comment: shown[index],
      thread: thread && { ...thread, title: thread.name },
      record: records(row.userId),
      reasons: countReasons(row, reasons),
      count: reasons.length,
      newest: newest.map((report) => ({ ...report, reporter: toPerson(report.reporterId) })),
      firstAt: firstAt ?? heldAt,
      lastAt: newest[0]?.at ?? heldAt,
      resolution: decided?.decidedAt && {
        ...decided,
        by: toPerson(decided.by),
        at: decided.decidedAt,
        reason: decided.decisionReason,
      },
    })
  })
  return { results, total }
}
