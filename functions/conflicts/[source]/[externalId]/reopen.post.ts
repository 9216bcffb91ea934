import { ConflictParams, ConflictSummary } from '#lib/contract/conflicts'
import { reopenConflict } from '#lib/domain/conflicts/reopen-conflict'
import { conflictQueueKey } from '#lib/domain/conflicts/states'
import { summarizeConflicts } from '#lib/domain/conflicts/summarize-conflicts'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Put a skipped conflict back to review, with candidates matched afresh',
  auth: 'admin',
  params: ConflictParams,
  response: ConflictSummary,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, actor, deps }) {
    const reopen = async () => {
      const { payload, version } = await reopenConflict(deps, { ...params, admin: actor.user })
      deps.emit.conflicts.decided(payload, version)
    }
    await deps.queue.run(conflictQueueKey(params), reopen, { isGone: actor.isGone })
    return await summarizeConflicts(deps, { ...params, isRecent: true })
  },
})
