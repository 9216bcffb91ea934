import { APPROVAL_TIMEOUT_MS } from '../../../lib/concurrency/timeouts.ts'
import { IdParams } from '../../../lib/contract/ids.ts'
import { RequestDecisionAnswer, RequestDecisionBody } from '../../../lib/contract/requests.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'
import { approve } from '../../../lib/requests/approval/approve.ts'
import { rejectRequest } from '../../../lib/requests/reject-request.ts'

export default defineFunction({
  summary:
    'Approve the picked fields of a pending request, which writes them to the catalogue, or reject it with a reason',
  auth: 'admin',
  params: IdParams,
  body: RequestDecisionBody,
  response: RequestDecisionAnswer,
  timeoutMs: APPROVAL_TIMEOUT_MS,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT', 'BAD_GATEWAY'],

  handle: ({ params: { id: requestId }, body: choice, user: admin, requestId: httpRequestId, deps }) =>
    choice.decision === 'reject'
      ? rejectRequest(deps, { requestId, admin, reason: choice.reason })
      : approve(deps, { requestId, admin, choice, httpRequestId }),
})
