import { Comment, ReportDecisionBody, ReportDecisionParams } from '#lib/contract/index'
import { decideReports } from '#lib/domain/comments/change-status'
import { defineFunction } from '#lib/web/http/define-function'

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

  handle: ({ params, body, actor, deps }) => decideReports(deps, actor, { ...params, ...body }),
})
