import { listDiscussion } from '../../../lib/comments/list-discussion.ts'
import { CommentList, DiscussionParams, DiscussionQuery } from '../../../lib/contract/comments.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

export default defineFunction({
  summary: 'List the discussion of a game: its top-level comments, best or newest first',
  auth: 'optional',
  params: DiscussionParams,
  query: DiscussionQuery,
  response: CommentList,
  errors: [],

  handle: ({ params, query, user, deps }) => listDiscussion(deps, { ...params, ...query, viewer: user }),
})
