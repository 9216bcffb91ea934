import { listConflicts } from '../../lib/conflicts/list-conflicts.ts'
import { ConflictList, ConflictListQuery } from '../../lib/contract/conflicts.ts'
import { defineFunction } from '../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'List conflicts: undecided ones, then those queued for writing, then the written ones, each oldest first',
  auth: 'admin',
  query: ConflictListQuery,
  response: ConflictList,
  errors: [],

  handle: ({ query, deps }) => listConflicts(deps, query),
})
