import type { CallInput } from '../../client/index.ts'
import type { ReportedComment } from '../../contract/reports.ts'
import { nameAuthor } from '../discussion/comment-content.tsx'

export type ReportAction = CallInput<'POST /reports/:commentId/decision'>['body']['action']

export const ACTION_NAMES: Readonly<Record<ReportAction, string>> = { hide: 'Hide', keep: 'Keep', delete: 'Delete' }

export const nameThread = ({ thread }: ReportedComment) => thread?.title ?? 'a game that left the catalogue'

export const describeReported = (report: ReportedComment) =>
  `Comment by ${nameAuthor(report.comment)} in ${nameThread(report)}`
