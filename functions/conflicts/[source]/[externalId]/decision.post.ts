import { ConflictParams, ConflictSummary, DecisionBody } from '#lib/contract/conflicts'
import { decideConflict } from '#lib/domain/conflicts/decide-conflict'
import { conflictQueueKey } from '#lib/domain/conflicts/states'
import { summarizeConflicts } from '#lib/domain/conflicts/summarize-conflicts'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Match a waiting conflict with one of its candidates or entries, or skip it',
  description: 'The background writer carries it out.',
  auth: 'admin',
  params: ConflictParams,
  body: DecisionBody,
  response: ConflictSummary,
  errors: ['INVALID', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, actor, deps }) {
    const decide = async () => {
      const { payload, version } = await decideConflict(deps, { ...params, choice: body, admin: actor.user })
      deps.emit.conflicts.decided(payload, version)
    }
    await deps.queue.run(conflictQueueKey(params), decide, { isGone: actor.isGone })
    deps.batchWriter.wake(params.source)
    return await summarizeConflicts(deps, { ...params, isRecent: true })
  },
})
