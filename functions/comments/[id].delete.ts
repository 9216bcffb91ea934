import { Comment, IdParams } from '../../lib/contract/index.ts'
import { deleteComment } from '../../lib/domain/comments/change-status.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Delete an own comment, or any as an admin; a placeholder stays while it has replies',
  auth: 'user',
  suspended: 'allowed',
  limit: 'commentChanges',
  excludesSender: true,
  params: IdParams,
  response: Comment,
  errors: ['NOT_FOUND', 'FORBIDDEN'],

  handle: ({ params, actor, deps }) => deleteComment(deps, actor, { commentId: params.id }),
})
