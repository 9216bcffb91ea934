import type { SessionUser } from '../auth/session-user.ts'
import type { RequestDecisionAnswer, RequestDecisionBody } from '../contract/requests.ts'
import { approve } from './approval/approve.ts'
import type { RequestsDeps } from './deps.ts'
import { rejectRequest } from './reject-request.ts'

interface Decision {
  requestId: string
  admin: SessionUser
  choice: RequestDecisionBody
}

/** Decides a pending request. @throws DomainError as `approve` and `rejectRequest` do */
export async function decideRequest(
  deps: RequestsDeps,
  { requestId, admin, choice }: Decision,
): Promise<RequestDecisionAnswer> {
  if (choice.decision === 'reject') return rejectRequest(deps, { requestId, admin, reason: choice.reason })
  return approve(deps, { requestId, admin, choice })
}
