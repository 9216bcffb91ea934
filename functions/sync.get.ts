import { SyncList } from '../lib/contract/sync.ts'
import { listSyncs } from '../lib/domain/sync/list-syncs.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List the sources that the service reads by itself, with the state and the counts of the last walk of each',
  auth: 'admin',
  response: SyncList,

  handle: async ({ deps }) => ({ results: await listSyncs(deps) }),
})
