import { DiscussionList, DiscussionsQuery } from '../lib/contract/comments.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List games by their newest visible comment; up to 2 seconds old',
  auth: 'public',
  query: DiscussionsQuery,
  response: DiscussionList,

  handle: async ({ query, deps }) => ({ results: (await deps.activeDiscussions.read()).slice(0, query.take) }),
})
