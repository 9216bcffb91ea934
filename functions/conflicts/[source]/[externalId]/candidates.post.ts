import { CandidateBody, ConflictParams, FoundConflict } from '#lib/contract/conflicts'
import { addCandidate } from '#lib/domain/conflicts/add-candidate'
import { findConflict } from '#lib/domain/conflicts/find-conflict'
import { defineFunction } from '#lib/web/http/define-function'

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
