import { DiscussionList, DiscussionsQuery } from '../lib/contract/comments.ts'
import { listActiveDiscussions } from '../lib/discussions/list-active-discussions.ts'
import { defineFunction } from '../lib/http/define-function.ts'

export default defineFunction({
  summary: 'List games by their newest visible comment; up to 2 seconds old',
  auth: 'public',
  query: DiscussionsQuery,
  response: DiscussionList,
  errors: [],

  handle: ({ query, deps }) => listActiveDiscussions(deps, query),
})
