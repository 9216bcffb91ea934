import { listReplies } from '../../../lib/comments/list-replies.ts'
import { CommentList, RepliesQuery } from '../../../lib/contract/comments.ts'
import { IdParams } from '../../../lib/contract/ids.ts'
import { defineFunction } from '../../../lib/http/define-function.ts'

export default defineFunction({
  summary:
    'List the replies of a comment, oldest first, in pages or around one of them; those under a hidden or deleted comment stay readable',
  auth: 'optional',
  params: IdParams,
  query: RepliesQuery,
  response: CommentList,
  errors: ['NOT_FOUND'],

  handle: ({ params, query, user, deps }) => listReplies(deps, { commentId: params.id, ...query, viewer: user }),
})
