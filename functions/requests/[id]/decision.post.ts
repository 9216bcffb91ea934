import { IdParams, RequestDecisionAnswer, RequestDecisionBody } from '#lib/contract/index'
import { approve } from '#lib/domain/requests/approval/approve'
import { rejectRequest } from '#lib/domain/requests/reject-request'
import { APPROVAL_TIMEOUT_MS } from '#lib/infrastructure/concurrency/timeouts'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary:
    'Approve the picked fields of a pending request, which writes them to the catalogue, or reject it with a reason',
  auth: 'admin',
  params: IdParams,
  body: RequestDecisionBody,
  response: RequestDecisionAnswer,
  timeoutMs: APPROVAL_TIMEOUT_MS,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT', 'BAD_GATEWAY'],

  handle: ({ params: { id: requestId }, body: choice, actor, requestId: httpRequestId, deps }) =>
    choice.decision === 'reject'
      ? rejectRequest(deps, actor, { requestId, reason: choice.reason })
      : approve(deps, actor, { requestId, choice, httpRequestId }),
})
