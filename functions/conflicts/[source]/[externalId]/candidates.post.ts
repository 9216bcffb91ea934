import { CandidateBody, ConflictParams, FoundConflict } from '#lib/contract/conflicts'
import { addCandidate } from '#lib/domain/conflicts/add-candidate'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Add a manually found game to the candidates of a waiting conflict',
  auth: 'admin',
  params: ConflictParams,
  body: CandidateBody,
  response: FoundConflict,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, actor, deps }) {
    return { item: await addCandidate(deps, actor, { ...params, ...body }) }
  },
})
