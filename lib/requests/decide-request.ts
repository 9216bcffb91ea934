import type { SessionUser } from '../auth/find-session-user.ts'
import type { RequestDecisionAnswer, RequestDecisionBody } from '../contract/requests.ts'
import type { Deps } from '../deps.ts'
import { approveRequest } from './approval/approve.ts'
import { rejectRequest } from './reject-request.ts'

interface Decision {
  requestId: string
  admin: SessionUser
  choice: RequestDecisionBody
}

/** Decides a pending request. @throws DomainError as `approveRequest` and `rejectRequest` do */
export async function decideRequest(
  deps: Deps,
  { requestId, admin, choice }: Decision,
): Promise<RequestDecisionAnswer> {
  if (choice.decision === 'reject') return rejectRequest(deps, { requestId, admin, reason: choice.reason })
  return approveRequest(deps, { requestId, admin, choice })
}
