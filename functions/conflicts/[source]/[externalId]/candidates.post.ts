import { addCandidate } from '../../../../lib/conflicts/add-candidate.ts'
import { findConflict } from '../../../../lib/conflicts/find-conflict.ts'
import { conflictId } from '../../../../lib/conflicts/states.ts'
import { CandidateBody, ConflictParams, FoundConflict } from '../../../../lib/contract/conflicts.ts'
import { defineFunction } from '../../../../lib/http/define-function.ts'
import { recordStaffActionAfter } from '../../../../lib/staff/record-staff-action-after.ts'

export default defineFunction({
  summary: 'Add a game that was found by hand to the candidates of a waiting conflict',
  auth: 'admin',
  params: ConflictParams,
  body: CandidateBody,
  response: FoundConflict,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, user, deps }) {
    const { externalName } = await addCandidate(deps, { ...params, ...body })
    const [item] = await Promise.all([
      findConflict(deps, params),
      recordStaffActionAfter(deps, {
        admin: user,
        action: 'candidate-added',
        target: { kind: 'conflict', id: conflictId(params), name: externalName },
        details: body,
      }),
    ])
    return { item }
  },
})
