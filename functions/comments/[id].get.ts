import { Comment, IdParams } from '../../lib/contract/index.ts'
import { readComment } from '../../lib/domain/comments/read-comment.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Read one comment; a hidden or deleted one with replies has no text and author, as in lists',
  auth: 'optional',
  params: IdParams,
  response: Comment,
  errors: ['NOT_FOUND'],

  handle: ({ params, viewer, deps }) => readComment(deps, { commentId: params.id, viewer }),
})
