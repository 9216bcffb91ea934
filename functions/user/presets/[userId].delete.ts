import { DeletePresetQuery, Presets, UserIdParams } from '#lib/contract/users'
import { deletePreset } from '#lib/domain/users/delete-preset'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: "Remove a preset of one's own by its name; one that is not there is no error",
  auth: 'user',
  limit: 'presets',
  params: UserIdParams,
  query: DeletePresetQuery,
  response: Presets,
  errors: ['FORBIDDEN'],

  handle: ({ params, query, actor, deps }) => deletePreset(deps, actor, { ownerId: params.userId, ...query }),
})
