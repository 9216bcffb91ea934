import { ConflictList, ConflictListQuery } from '../../lib/contract/conflicts.ts'
import { listConflicts } from '../../lib/domain/conflicts/list-conflicts.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List conflicts: undecided ones, then those queued for writing, then the written ones, each oldest first',
  auth: 'admin',
  query: ConflictListQuery,
  response: ConflictList,

  handle: ({ query, deps }) => listConflicts(deps, query),
})
