import { decideConflict } from '../../../../lib/conflicts/decide-conflict.ts'
import { conflictQueueKey } from '../../../../lib/conflicts/states.ts'
import { summarizeConflicts } from '../../../../lib/conflicts/summarize-conflicts.ts'
import { ConflictParams, ConflictSummary, DecisionBody } from '../../../../lib/contract/conflicts.ts'
import { defineFunction } from '../../../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Match a waiting conflict with one of its candidates or entries, or skip it',
  description: 'The background writer carries it out.',
  auth: 'admin',
  params: ConflictParams,
  body: DecisionBody,
  response: ConflictSummary,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, user, deps }) {
    await deps.queue.run(conflictQueueKey(params), async () => {
      const { payload, version } = await decideConflict(deps, { ...params, choice: body, admin: user })
      deps.emit.conflicts.decided(payload, version)
    })
    deps.batchWriter.wake(params.source)
    return await summarizeConflicts(deps, { ...params, isRecent: true })
  },
})
