import type { SessionUser } from '../auth/session-user.ts'
import type { RequestDecisionAnswer, RequestDecisionBody } from '../contract/requests.ts'
import { approve } from './approval/approve.ts'
import type { RequestsDeps } from './deps.ts'
import { rejectRequest } from './reject-request.ts'

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
  if (choice.decision === 'reject') return rejectRequest(deps, { requestId, admin, reason: choice.reason })
  // The parts of a request are inherited, so they cannot be spread.
  const own: RequestsDeps = Object.create(deps)
  own.log = deps.log.child({ requestId: httpRequestId, contentRequestId: requestId })
  return approve(own, { requestId, admin, choice, httpRequestId })
}
