import { BODY_MAX_BYTES, ContentRequest, CreateRequestBody } from '../lib/contract/index.ts'
import { submitRequest } from '../lib/domain/requests/submit-request.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Propose a new game or character, or a correction of an existing one',
  auth: 'user',
  limit: 'requestChanges',
  status: 201,
  body: CreateRequestBody,
  maxBodyBytes: BODY_MAX_BYTES.request,
  response: ContentRequest,
  errors: ['NOT_FOUND', 'CONFLICT'],

  handle: ({ body, actor, deps }) => submitRequest(deps, actor, body),
})
