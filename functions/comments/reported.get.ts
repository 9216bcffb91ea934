import { listReported } from '../../lib/comments/list-reported.ts'
import { CommentList, CommentsQuery } from '../../lib/contract/comments.ts'
import { defineFunction } from '../../lib/http/define-function.ts'

/** List visible comments that readers reported, most reports first. */
export default defineFunction({
  auth: 'admin',
  query: CommentsQuery,
  response: CommentList,
  errors: [],

  async handle({ query, user, deps }) {
    return listReported(deps, { ...query, admin: user })
  },
})
