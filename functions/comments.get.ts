import { AllCommentsQuery, CommentList } from '../lib/contract/comments.ts'
import { listComments } from '../lib/domain/comments/list-comments.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List the comments of all games, or those of one author or status, newest first',
  auth: 'admin',
  query: AllCommentsQuery,
  response: CommentList,

  handle: ({ query, viewer, deps }) => listComments(deps, { ...query, viewer }),
})
