import { Comment, ReportDecisionBody, ReportDecisionParams } from '#lib/contract/index'
import { changeStatus } from '#lib/domain/comments/change-status'
import { defineFunction } from '#lib/web/http/define-function'

const STATUSES = { hide: 'hidden', delete: 'deleted', keep: 'visible' } as const

export default defineFunction({
  summary: 'Decide about the open reports of a comment, or about one that waits: hide, delete or keep it',
  description: 'Reporters learn the outcome, the author the reason. Of several decisions the first counts.',
  auth: 'admin',
  limit: 'commentChanges',
  excludesSender: true,
  params: ReportDecisionParams,
  body: ReportDecisionBody,
  response: Comment,
  errors: ['NOT_FOUND', 'CONFLICT'],

  handle: ({ params: { commentId }, body: { action, ...body }, actor, deps }) =>
    changeStatus(deps, actor, { commentId, status: STATUSES[action], ...body, isDecision: true }),
})
