import { IdParams, ReviewedRequest } from '../../lib/contract/index.ts'
import { readRequest } from '../../lib/domain/requests/read-request.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Read a request, with the current values of the fields that it proposes',
  auth: 'admin',
  params: IdParams,
  response: ReviewedRequest,
  errors: ['NOT_FOUND'],

  handle: ({ params, deps }) => readRequest(deps, { requestId: params.id }),
})
