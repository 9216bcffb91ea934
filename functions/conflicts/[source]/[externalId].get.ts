import { findConflict } from '../../../lib/conflicts/find-conflict.ts'
import { ConflictParams, FoundConflict } from '../../../lib/contract/conflicts.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Read a conflict with everything that it is decided on; null when it is unknown',
  auth: 'admin',
  params: ConflictParams,
  response: FoundConflict,
  errors: [],

  async handle({ params, deps }) {
    return { item: await findConflict(deps, params) }
  },
})
