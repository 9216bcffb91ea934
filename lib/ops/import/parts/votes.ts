import type { Document, ObjectId } from 'mongodb'
import { REPORT_NOTE_MAX } from '../../../contract/limits.ts'
import { ReportReason } from '../../../contract/reports.ts'
import type { ReportDocument } from '../../../infrastructure/db/collections/reports.ts'
import type { SiteDocument } from '../import-run.ts'
import { toId, toText, toTimes } from '../site-values.ts'
import { commentChange, type Part, type Plan } from '../take-part.ts'

interface Vote {
  document: SiteDocument
  comment: Document & { _id: ObjectId }
  voter: ObjectId
}

/** Plans votes of a kind; `refuse` says why one does not come over. */
const planVotes =
  (refuse: (document: Document) => string | null, toPlan: (vote: Vote) => Plan): Part['plan'] =>
  async (documents, run) => {
    const toCommentId = ({ targetId, commentId }: Document): unknown => targetId ?? commentId
    const findComment = await run.lookUp('comments', documents.map(toCommentId), ['userId', 'gameId', 'status'])
    const userIds = documents.map(({ userId }) => userId)
    const findUser = await run.lookUp('users', userIds)
    return documents.map((document): Plan => {
      const refused = refuse(document)
      if (refused !== null) return { leftOut: refused }
      const comment = findComment(toCommentId(document))
      if (comment === undefined) return { leftOut: 'its comment is missing' }
      const voter = findUser(document.userId)?._id
      if (voter === undefined) return { leftOut: 'its user is missing' }
      return toId(comment.userId)?.equals(voter)
        ? { leftOut: 'it is for an own comment' }
        : toPlan({ document, comment, voter })
    })
  }

/** Adds the voters to their comments, in the same write as the count. */
export const VOTES: Part = {
  of: 'comments',
  name: 'votes',
  from: 'commentvotes',
  into: null,
  plan: planVotes(
    ({ target, targetType = target }) =>
      [undefined, 'comment'].includes(targetType) ? null : 'it is not for a comment',
    ({ comment: { _id }, voter }) => {
      const change = { $inc: { likesCount: 1, rev: 1 }, $push: { likedBy: voter } }
      return { changes: [commentChange({ _id, likedBy: { $ne: voter } }, change)] }
    },
  ),
}

/** Reads a report. That of a comment which the site has hidden or deleted was acted on, whatever the site says. */
function toReport({ document, comment, voter }: Vote): ReportDocument | null {
  const [gameId, authorId] = [toId(comment.gameId), toId(comment.userId)]
  if (gameId === null || authorId === null) return null
  const { data: reason } = ReportReason.safeParse(document.reason)
  const other = reason === undefined ? toText(document.reason) : null
  const at = toTimes(document).createdAt
  const isOpen = (comment.status ?? 'visible') === 'visible'
  return {
    _id: document._id,
    commentId: comment._id,
    gameId,
    authorId,
    reporterId: voter,
    reason: reason ?? (other === null ? null : 'other'),
    note: (toText(document.note) ?? other)?.slice(0, REPORT_NOTE_MAX) ?? null,
    at,
    outcome: isOpen ? null : 'acted-on',
    by: null,
    decidedAt: isOpen ? null : at,
    decisionReason: null,
  }
}

export const REPORTS: Part = {
  of: 'comments',
  name: 'reports',
  from: 'commentreports',
  into: 'reports',
  plan: planVotes(
    ({ status = 'open' }) => (status === 'open' ? null : 'it is closed'),
    (vote) => {
      const report = toReport(vote)
      if (report === null) return {}
      const { commentId: _id, reporterId, outcome } = report
      const counted =
        outcome === null
          ? { $inc: { reportsCount: 1 }, $push: { reportedBy: reporterId } }
          : { $inc: { decidedReportsCount: 1 } }
      // A second report of the user breaks the unique index, and is left out with its count.
      return { document: report, changes: [commentChange({ _id }, counted)] }
    },
  ),
}
