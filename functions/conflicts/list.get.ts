import { listConflicts } from '../../lib/conflicts/list-conflicts.ts'
import { ConflictList, ConflictListQuery } from '../../lib/contract/conflicts.ts'
import { defineFunction } from '../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'List conflicts: those that wait for a decision, then the decided ones, then what was written, oldest first',
  auth: 'admin',
  query: ConflictListQuery,
  response: ConflictList,
  errors: [],

  handle: ({ query, deps }) => listConflicts(deps, query),
})
