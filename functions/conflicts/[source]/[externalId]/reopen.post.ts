import { reopenConflict } from '../../../../lib/conflicts/reopen-conflict.ts'
import { conflictId, conflictQueueKey } from '../../../../lib/conflicts/states.ts'
import { summarizeConflicts } from '../../../../lib/conflicts/summarize-conflicts.ts'
import { ConflictParams, ConflictSummary } from '../../../../lib/contract/conflicts.ts'
import { defineFunction } from '../../../../lib/http/define-function.ts'
import { recordStaffActionAfter } from '../../../../lib/staff/record-staff-action-after.ts'

export default defineFunction({
  summary: 'Put a skipped conflict back to review, with candidates matched afresh',
  auth: 'admin',
  params: ConflictParams,
  response: ConflictSummary,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, user, deps }) {
    const externalName = await deps.queue.run(conflictQueueKey(params), async () => {
      const reopened = await reopenConflict(deps, { ...params, admin: user })

      deps.emit.conflicts.decided(reopened.event.payload, reopened.event.version)
      return reopened.externalName
    })
    const [summary] = await Promise.all([
      summarizeConflicts(deps, params),
      recordStaffActionAfter(deps, {
        admin: user,
        action: 'conflict-reopened',
        target: { kind: 'conflict', id: conflictId(params), name: externalName },
      }),
    ])
    return summary
  },
})
