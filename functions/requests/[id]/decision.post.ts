import { APPROVAL_TIMEOUT_MS } from '../../../lib/concurrency/timeouts.ts'
import { IdParams } from '../../../lib/contract/ids.ts'
import { RequestDecisionAnswer, RequestDecisionBody } from '../../../lib/contract/requests.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'
import { decideRequest } from '../../../lib/requests/decide-request.ts'

export default defineFunction({
  summary:
    'Approve the picked fields of a pending request, which writes them to the catalogue, or reject it with a reason',
  auth: 'admin',
  params: IdParams,
  body: RequestDecisionBody,
  response: RequestDecisionAnswer,
  timeoutMs: APPROVAL_TIMEOUT_MS,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT', 'BAD_GATEWAY'],

  handle: ({ params, body, user, requestId: httpRequestId, deps }) =>
    decideRequest(deps, { requestId: params.id, admin: user, choice: body, httpRequestId }),
})
