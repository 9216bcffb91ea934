import { Presets, UserIdParams } from '../../../lib/contract/users.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'
import { listPresets } from '../../../lib/users/list-presets.ts'

export default defineFunction({
  summary: "List one's own presets",
  auth: 'user',
  limit: 'presets',
  params: UserIdParams,
  response: Presets,
  errors: ['FORBIDDEN'],

  handle: ({ params, user, deps }) => listPresets(deps, { ownerId: params.userId, asker: user }),
})
