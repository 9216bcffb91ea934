import { Presets, UserIdParams } from '#lib/contract/users'
import { listPresets } from '#lib/domain/users/presets'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'List the presets of the signed-in user',
  auth: 'user',
  limit: 'presets',
  params: UserIdParams,
  response: Presets,
  errors: ['FORBIDDEN'],

  handle: ({ params, viewer, deps }) => listPresets(deps, { ownerId: params.userId, viewer }),
})
