import { ConflictParams, FoundConflict } from '#lib/contract/conflicts'
import { findConflict } from '#lib/domain/conflicts/find-conflict'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Read a conflict with everything needed to decide it; null when it is unknown',
  auth: 'admin',
  params: ConflictParams,
  response: FoundConflict,

  async handle({ params, deps }) {
    return { item: await findConflict(deps, params) }
  },
})
