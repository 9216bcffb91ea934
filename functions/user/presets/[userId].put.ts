import { BODY_MAX_BYTES } from '../../../lib/contract/limits.ts'
import { Presets, PutPresetBody, UserIdParams } from '../../../lib/contract/users.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'
import { savePreset } from '../../../lib/users/save-preset.ts'

export default defineFunction({
  summary: "Save a preset of one's own under its name, replacing the one of that name; at most 100",
  auth: 'user',
  limit: 'presets',
  params: UserIdParams,
  body: PutPresetBody,
  maxBodyBytes: BODY_MAX_BYTES.preset,
  response: Presets,
  errors: ['FORBIDDEN', 'CONFLICT'],

  handle: ({ params, body, user, deps }) => savePreset(deps, { ownerId: params.userId, asker: user, ...body }),
})
