import type { Filter, ObjectId, Sort } from 'mongodb'
import type { ReportedComment, ReportList, ReportsQuery } from '../../contract/reports.ts'
import { type CommentDocument, MOST_DECIDED, MOST_REPORTED } from '../../infrastructure/db/collections/comments.ts'
import type { ReportDocument } from '../../infrastructure/db/collections/reports.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentRow } from '../comments/comment-row.ts'
import type { CommentsDeps } from '../comments/deps.ts'
import { findCommentRows } from '../comments/read-page.ts'
import { commentsToWire } from '../comments/to-wire.ts'
import { readRecords } from './read-records.ts'

type ReportsDeps = Pick<CommentsDeps, 'db' | 'commentCaches' | 'storage'>

const NEWEST = 5
const REPORTED: Filter<CommentDocument> = { reportsCount: { $gt: 0 } }
/** Names the count, with which the index begins. */
const HELD: Filter<CommentDocument> = { heldAt: { $exists: true }, reportsCount: { $gte: 0 } }

function chooseList({ status, held }: ReportsQuery): { filter: Filter<CommentDocument>; sort: Sort } {
  if (status === 'resolved') return { filter: { decidedReportsCount: { $gt: 0 } }, sort: MOST_DECIDED }
  if (held === undefined) return { filter: { $or: [REPORTED, HELD] }, sort: MOST_REPORTED }
  return { filter: held === 'true' ? HELD : REPORTED, sort: MOST_REPORTED }
}

type Newest = Pick<ReportDocument, 'reporterId' | 'reason' | 'note' | 'at'>
interface Summary {
  _id: ObjectId
  count: number
  reasons: ReportDocument['reason'][]
  newest: Newest[]
  firstAt: Date
  lastAt: Date
  decision: Pick<ReportDocument, 'outcome' | 'by' | 'decidedAt' | 'decisionReason'>
}

/** Sums up the open or the decided reports of some comments. */
async function summarize({ db }: ReportsDeps, ids: readonly ObjectId[], { status }: ReportsQuery) {
  const stages = [
    { $match: { commentId: { $in: [...ids] }, outcome: status === 'open' ? null : { $ne: null } } },
    {
      $group: {
        _id: '$commentId',
        count: { $sum: 1 },
        reasons: { $push: '$reason' },
        newest: {
          $topN: {
            n: NEWEST,
            sortBy: { at: -1 },
            output: { reporterId: '$reporterId', reason: '$reason', note: '$note', at: '$at' },
          },
        },
        firstAt: { $min: '$at' },
        lastAt: { $max: '$at' },
        decision: {
          $top: {
            sortBy: { decidedAt: -1 },
            output: {
              outcome: '$outcome',
              by: '$by',
              decidedAt: '$decidedAt',
              decisionReason: '$decisionReason',
            },
          },
        },
      },
    },
  ]
  const found = await db.reports.aggregate<Summary>(stages).toArray()
  return new Map(found.map((summary) => [summary._id.toHexString(), summary]))
}

function countReasons(row: CommentRow, summary: Summary | undefined): ReportedComment['reasons'] {
  const counts: ReportedComment['reasons'] = {}
  for (const reason of summary?.reasons ?? []) if (reason) counts[reason] = (counts[reason] ?? 0) + 1
  return row.heldAt ? { ...counts, held: 1 } : counts
}

/** Lists comments with their open or their decided reports, and those that wait for a moderator; most reports first. */
export async function listReports(
  deps: ReportsDeps,
  { viewer, ...query }: ReportsQuery & { viewer: SessionUser },
): Promise<ReportList> {
  const { comments, games, users } = deps.db
  const { filter, sort } = chooseList(query)
  const [rows, total] = await Promise.all([
    findCommentRows(deps, filter, { sort, ...query, viewer }),
    comments.countDocuments(filter),
  ])
  const ids = rows.map(({ _id }) => _id)
  const gameIds = rows.map(({ gameId }) => gameId)
  const [shown, summaries, records, threads] = await Promise.all([
    commentsToWire(deps, rows, viewer),
    summarize(deps, ids, query),
    readRecords(
      deps,
      rows.map(({ userId }) => userId),
    ),
    mapByIds<{ _id: ObjectId; name: string; slug: string }>(games, gameIds, { name: 1, slug: 1 }),
  ])
  const named = [...summaries.values()].flatMap(({ newest, decision }) => [
    ...newest.map(({ reporterId }) => reporterId),
    ...(decision.by ? [decision.by] : []),
  ])
  const people = await mapByIds<{ _id: ObjectId; userName: string }>(users, named, { userName: 1 })
  const toPerson = (id: ObjectId | null) => {
    const person = id && people.get(id.toHexString())
    return person ? { _id: person._id.toHexString(), userName: person.userName } : null
  }
  const results = rows.flatMap((row, index) => {
    const comment = shown[index]
    const summary = summaries.get(row._id.toHexString())
    const thread = threads.get(row.gameId.toHexString())
    const { outcome = null, by = null, decidedAt, decisionReason: reason = null } = summary?.decision ?? {}
    const heldAt = row.heldAt ?? row.createdAt
    if (comment === undefined) return []
    return {
      comment,
      thread: thread ? { title: thread.name, slug: thread.slug } : null,
      record: records(row.userId),
      reasons: countReasons(row, summary),
      count: summary?.count ?? 0,
      newest: (summary?.newest ?? []).map(({ reporterId, at, ...report }) => ({
        ...report,
        reporter: toPerson(reporterId),
        at: at.toISOString(),
      })),
      firstAt: (summary?.firstAt ?? heldAt).toISOString(),
      lastAt: (summary?.lastAt ?? heldAt).toISOString(),
      resolution: outcome && decidedAt ? { outcome, by: toPerson(by), at: decidedAt.toISOString(), reason } : null,
    }
  })
  return { results, total }
}
