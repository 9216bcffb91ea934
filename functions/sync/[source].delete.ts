import { Sync, SyncParams } from '#lib/contract/sync'
import { stopSync } from '#lib/domain/sync/change-sync'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Stop the walk of a source after the page in work; where none runs, nothing changes',
  auth: 'admin',
  params: SyncParams,
  response: Sync,

  handle: ({ params: { source }, actor, deps }) => stopSync(deps, actor, source),
})
