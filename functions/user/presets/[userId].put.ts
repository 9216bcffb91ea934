import { BODY_MAX_BYTES, Presets, PutPresetBody, UserIdParams } from '#lib/contract/index'
import { savePreset } from '#lib/domain/users/presets'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Save an own preset, replacing any of the same name; at most 100',
  auth: 'user',
  limit: 'presets',
  params: UserIdParams,
  body: PutPresetBody,
  maxBodyBytes: BODY_MAX_BYTES.preset,
  response: Presets,
  errors: ['FORBIDDEN', 'CONFLICT'],

  handle: ({ params, body, actor, deps }) => savePreset(deps, actor, { ownerId: params.userId, ...body }),
})
