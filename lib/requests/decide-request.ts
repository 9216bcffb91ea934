import type { SessionUser } from '../auth/session-user.ts'
import type { RequestDecisionAnswer, RequestDecisionBody } from '../contract/requests.ts'
import { approve } from './approval/approve.ts'
import type { RequestsDeps } from './deps.ts'
import { rejectRequest } from './reject-request.ts'
import { withLog } from './with-log.ts'

interface Decision {
  requestId: string
  admin: SessionUser
  choice: RequestDecisionBody
  /** Names the log lines of this decision. */
  httpRequestId: string
}

/** Decides a pending request. @throws DomainError as `approve` and `rejectRequest` do */
export async function decideRequest(
  deps: RequestsDeps,
  { requestId, admin, choice, httpRequestId }: Decision,
): Promise<RequestDecisionAnswer> {
  const own = withLog(deps, { requestId: httpRequestId, contentRequestId: requestId })
  if (choice.decision === 'reject') return rejectRequest(own, { requestId, admin, reason: choice.reason })
  return approve(own, { requestId, admin, choice, httpRequestId })
}
