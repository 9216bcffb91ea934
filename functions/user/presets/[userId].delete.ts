import { DeletePresetQuery, Presets, UserIdParams } from '#lib/contract/users'
import { deletePreset } from '#lib/domain/users/presets'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Remove an own preset by its name; a missing one is no error',
  auth: 'user',
  limit: 'presets',
  params: UserIdParams,
  query: DeletePresetQuery,
  response: Presets,
  errors: ['FORBIDDEN'],

  handle: ({ params, query, actor, deps }) => deletePreset(deps, actor, { ownerId: params.userId, ...query }),
})
