import { IdParams } from '../../lib/contract/ids.ts'
import { ReviewedRequest } from '../../lib/contract/requests.ts'
import { defineFunction } from '../../lib/http/define-function.ts'
import { readRequest } from '../../lib/requests/read-request.ts'

export default defineFunction({
  summary: 'Read a request, with what its target has at present of the fields that it proposes',
  auth: 'admin',
  params: IdParams,
  response: ReviewedRequest,
  errors: ['NOT_FOUND'],

  handle: ({ params, deps }) => readRequest(deps, { requestId: params.id }),
})
