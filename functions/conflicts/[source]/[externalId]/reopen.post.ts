import { reopenConflict } from '../../../../lib/conflicts/reopen-conflict.ts'
import { conflictQueueKey } from '../../../../lib/conflicts/states.ts'
import { summarizeConflicts } from '../../../../lib/conflicts/summarize-conflicts.ts'
import { ConflictParams, ConflictSummary } from '../../../../lib/contract/conflicts.ts'
import { defineFunction } from '../../../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'Put a skipped conflict back to review, with candidates matched afresh',
  auth: 'admin',
  params: ConflictParams,
  response: ConflictSummary,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, user, deps }) {
    await deps.queue.run(conflictQueueKey(params), async () => {
      const { payload, version } = await reopenConflict(deps, { ...params, admin: user })
      deps.emit.conflicts.decided(payload, version)
    })
    return await summarizeConflicts(deps, { ...params, isRecent: true })
  },
})
