import type { CallInput } from '../../client/index.ts'
import type { ReportedComment } from '../../contract/reports.ts'
import { linkToComment, nameAuthor } from '../discussion/comment-content.tsx'
import { reload } from '../hooks/use-query.ts'
import { notify } from '../notices.ts'
import { hold, isActedOn } from '../outbox/outbox.ts'
import { call } from '../session.ts'

type Body = CallInput<'POST /reports/:commentId/decision'>['body']
export type ReportAction = Body['action']

export const ACTIONS = [
  { action: 'hide', name: 'Hide', key: 'h' },
  { action: 'keep', name: 'Keep', key: 'k' },
  { action: 'delete', name: 'Delete', key: 'd' },
] as const satisfies { action: ReportAction; name: string; key: string }[]

/** Statuses of a decision that came too late: the reports are resolved, or the comment is deleted or edited. */
const LATE = new Set([404, 409])

const toKey = ({ comment }: ReportedComment) => `report/${comment._id}`

export const isReportDecidedHere = (report: ReportedComment): boolean => isActedOn(toKey(report))

export const describeReported = ({ comment, thread }: ReportedComment): string =>
  `Comment by ${nameAuthor(comment)} in ${thread?.title ?? 'a game that left the catalogue'}`

/** Holds a decision. One that somebody else made first is not sent again, and nothing is shown that nobody has read. */
export function holdReportDecision(report: ReportedComment, body: Body, onUndo: () => void): void {
  const about = describeReported(report)
  hold({
    key: toKey(report),
    what: ACTIONS.find(({ action }) => action === body.action)?.name ?? '',
    about,
    address: linkToComment(report.comment),
    async send() {
      const params = { commentId: report.comment._id }
      const answer = await call('POST /reports/:commentId/decision', { params, body })
      const isLate = !answer.ok && LATE.has(Number(answer.error.status))
      if (isLate) notify(`Decided or edited meanwhile: ${about}`)
      else if (!answer.ok) return answer
      await reload('GET /reports')
      return { ok: true }
    },
    onUndo,
  })
}
