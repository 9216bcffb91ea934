import { IdParams } from '#lib/contract/ids'
import { SuspensionState } from '#lib/contract/persons'
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
