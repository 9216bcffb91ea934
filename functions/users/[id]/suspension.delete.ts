import { IdParams, SuspensionState } from '#lib/contract/index'
import { endSuspension } from '#lib/domain/users/suspension'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'End the suspension of a user',
  auth: 'admin',
  params: IdParams,
  response: SuspensionState,
  errors: ['NOT_FOUND'],

  handle: ({ params, actor, deps }) => endSuspension(deps, actor, { userId: params.id }),
})
