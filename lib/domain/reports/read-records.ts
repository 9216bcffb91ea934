import type { ObjectId } from 'mongodb'
import type { ReportedComment } from '../../contract/reports.ts'
import type { Database } from '../../infrastructure/db/connect.ts'

interface Count {
  _id: { userId: ObjectId; value: string | null }
  count: number
}

const countBy = (userId: string, value: string) => ({ $group: { _id: { userId, value }, count: { $sum: 1 } } })

/** Counts the comments of authors by status, and the reports of these comments by outcome, from indexes alone. */
export async function readRecords(
  { db }: { db: Pick<Database, 'comments' | 'reports'> },
  authorIds: readonly ObjectId[],
): Promise<(authorId: ObjectId) => ReportedComment['record']> {
  const among = { $in: [...authorIds] }
  const [comments, reports] = await Promise.all([
    db.comments.aggregate<Count>([{ $match: { userId: among } }, countBy('$userId', '$status')]).toArray(),
    db.reports.aggregate<Count>([{ $match: { authorId: among } }, countBy('$authorId', '$outcome')]).toArray(),
  ])
  return (authorId) => {
    const count = (counts: readonly Count[], value: string | null) =>
      counts.find(({ _id }) => _id.userId.equals(authorId) && _id.value === value)?.count ?? 0
    return {
      visible: count(comments, 'visible'),
      hidden: count(comments, 'hidden'),
      deleted: count(comments, 'deleted'),
      reports: { open: count(reports, null), actedOn: count(reports, 'acted-on'), kept: count(reports, 'kept') },
    }
  }
}
