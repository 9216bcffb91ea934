import { Sync, SyncParams } from '#lib/contract/sync'
import { startSync } from '#lib/domain/sync/change-sync'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Start a walk of a source that `SYNC` names',
  auth: 'admin',
  params: SyncParams,
  response: Sync,
  errors: ['INVALID', 'CONFLICT'],

  handle: ({ params: { source }, actor, deps }) => startSync(deps, actor, source),
})
