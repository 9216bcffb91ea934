import { ContentRequest, IdParams } from '../../lib/contract/index.ts'
import { withdrawRequest } from '../../lib/domain/requests/withdraw-request.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Withdraw an own request while it is pending and no admin is deciding it',
  auth: 'user',
  suspended: 'allowed',
  limit: 'requestChanges',
  params: IdParams,
  response: ContentRequest,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],

  handle: ({ params, actor, deps }) => withdrawRequest(deps, actor, { requestId: params.id }),
})
