import { DeletePresetQuery, Presets, UserIdParams } from '../../../lib/contract/users.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'
import { deletePreset } from '../../../lib/users/delete-preset.ts'

export default defineFunction({
  summary: "Remove a preset of one's own by its name; one that is not there is no error",
  auth: 'user',
  limit: 'presets',
  params: UserIdParams,
  query: DeletePresetQuery,
  response: Presets,
  errors: ['FORBIDDEN'],

  handle: ({ params, query, user, deps }) => deletePreset(deps, { ownerId: params.userId, asker: user, ...query }),
})
