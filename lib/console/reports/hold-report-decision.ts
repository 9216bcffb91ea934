import type { ReportedComment } from '../../contract/reports.ts'
import { linkToComment } from '../discussion/comment-content.tsx'
import { hall } from '../hall.ts'
import { reload } from '../hooks/use-query.ts'
import { notify } from '../notices.ts'
import { hold, isActedOn } from '../outbox/outbox.ts'
import { request } from '../session.ts'
import { ACTION_NAMES, describeReported, type ReportAction } from './report-words.ts'

/** Statuses of a decision that came too late: the reports are resolved, or the comment is deleted. */
const LATE = new Set([404, 409])

const toKey = ({ comment }: ReportedComment) => `report/${comment._id}`

export const isReportDecidedHere = (report: ReportedComment): boolean => isActedOn(toKey(report))

interface ReportDecision {
  report: ReportedComment
  action: ReportAction
  reason: string
  onUndo(): void
}

/** Holds a decision. One that somebody else made first is not sent again. */
export function holdReportDecision({ report, action, reason, onUndo }: ReportDecision): void {
  const about = describeReported(report)
  hold({
    key: toKey(report),
    what: ACTION_NAMES[action],
    about,
    address: linkToComment(report.comment),
    async send() {
      const answer = await request(
        hall.call('POST /reports/:commentId/decision', {
          params: { commentId: report.comment._id },
          body: { action, ...(reason && { reason }) },
        }),
      )
      const isLate = !answer.ok && LATE.has(Number(answer.error.status))
      if (isLate) notify(`Already decided by somebody else: ${about}`)
      else if (!answer.ok) return answer
      await reload('GET /reports')
      return { ok: true }
    },
    onUndo,
  })
}
