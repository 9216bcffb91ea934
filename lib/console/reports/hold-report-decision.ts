import type { CallInput } from '../../client/index.ts'
import type { ReportedComment } from '../../contract/reports.ts'
import { linkToComment, nameAuthor } from '../discussion/comment-content.tsx'
import { reload } from '../hooks/use-query.ts'
import { hold, isActedOn } from '../outbox/outbox.ts'
import { call } from '../session.ts'

type Body = CallInput<'POST /reports/:commentId/decision'>['body']
export type ReportAction = Body['action']

export const ACTIONS = [
  { action: 'hide', name: 'Hide', key: 'h' },
  { action: 'keep', name: 'Keep', key: 'k' },
  { action: 'delete', name: 'Delete', key: 'd' },
] as const satisfies { action: ReportAction; name: string; key: string }[]

const toKey = ({ comment }: ReportedComment) => `report/${comment._id}`

export const isReportDecidedHere = (report: ReportedComment): boolean => isActedOn(toKey(report))

export function holdReportDecision(report: ReportedComment, body: Body, onUndo: () => void): void {
  const { comment, thread } = report
  hold({
    key: toKey(report),
    what: ACTIONS.find(({ action }) => action === body.action)?.name ?? '',
    about: `Comment by ${nameAuthor(comment)} in ${thread?.title ?? 'a game that left the catalogue'}`,
    address: linkToComment(comment),
    async send() {
      const params = { commentId: comment._id }
      const answer = await call('POST /reports/:commentId/decision', { params, body })
      await reload('GET /reports')
      return answer
    },
    onUndo,
  })
}
