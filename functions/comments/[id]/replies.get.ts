import { CommentList, IdParams, RepliesQuery } from '#lib/contract/index'
import { listReplies } from '#lib/domain/comments/list-replies'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary:
    'List the replies of a comment, oldest first, in pages, behind a row or around one of them; those under a hidden or deleted comment stay readable',
  auth: 'optional',
  params: IdParams,
  query: RepliesQuery,
  response: CommentList,
  errors: ['NOT_FOUND'],

  handle: ({ params, query, viewer, deps }) => listReplies(deps, { commentId: params.id, ...query, viewer }),
})
