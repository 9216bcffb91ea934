import { CommentList, CommentsQuery } from '../../lib/contract/comments.ts'
import { listReported } from '../../lib/domain/comments/list-comments.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List visible comments that readers reported, most reports first',
  auth: 'admin',
  query: CommentsQuery,
  response: CommentList,

  handle: ({ query, viewer, deps }) => listReported(deps, { ...query, viewer }),
})
