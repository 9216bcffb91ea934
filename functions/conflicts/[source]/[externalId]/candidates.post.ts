import { addCandidate } from '../../../../lib/conflicts/add-candidate.ts'
import { findConflict } from '../../../../lib/conflicts/find-conflict.ts'
import { CandidateBody, ConflictParams, FoundConflict } from '../../../../lib/contract/conflicts.ts'
import { defineFunction } from '../../../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Add a game that was found by hand to the candidates of a waiting conflict',
  auth: 'admin',
  params: ConflictParams,
  body: CandidateBody,
  response: FoundConflict,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, user, deps }) {
    await addCandidate(deps, { ...params, ...body, admin: user })
    return { item: await findConflict(deps, params) }
  },
})
