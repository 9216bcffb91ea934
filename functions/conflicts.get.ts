import { ConflictSummary, ConflictSummaryQuery } from '../lib/contract/conflicts.ts'
import { summarizeConflicts } from '../lib/domain/conflicts/summarize-conflicts.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Count the conflicts that wait for a decision or for being written, and name the oldest',
  auth: 'admin',
  query: ConflictSummaryQuery,
  response: ConflictSummary,

  handle: ({ query, deps }) => summarizeConflicts(deps, query),
})
