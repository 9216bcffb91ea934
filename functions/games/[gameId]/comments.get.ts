import { CommentList, DiscussionQuery, GameIdParams } from '#lib/contract/index'
import { listDiscussion } from '#lib/domain/comments/list-discussion'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'List the discussion of a game: its top-level comments, best or newest first, in pages or behind a row',
  auth: 'optional',
  params: GameIdParams,
  query: DiscussionQuery,
  response: CommentList,

  handle: ({ params, query, viewer, deps }) => listDiscussion(deps, { ...params, ...query, viewer }),
})
