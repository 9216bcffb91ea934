import { IdParams, UserRecord } from '#lib/contract/index'
import { readRecord } from '#lib/domain/users/read-record'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Read what admins know of a user: numbers, suspensions, addresses, notes, last comments and requests',
  auth: 'admin',
  params: IdParams,
  response: UserRecord,
  errors: ['NOT_FOUND'],

  handle: ({ params, viewer, deps }) => readRecord(deps, { userId: params.id, viewer }),
})
