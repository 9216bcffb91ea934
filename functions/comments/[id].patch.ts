import { BODY_MAX_BYTES, COMMENT_BODY_MAX, Comment, EditCommentBody, IdParams } from '../../lib/contract/index.ts'
import { editComment } from '../../lib/domain/comments/edit-comment.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary:
    'Change the text or the spoiler flag of an own comment that is visible or waits; without a difference it is not marked as edited',
  description: `A text of more than ${COMMENT_BODY_MAX} characters is accepted only when it is the stored one.`,
  auth: 'user',
  limit: 'commentChanges',
  excludesSender: true,
  params: IdParams,
  body: EditCommentBody,
  maxBodyBytes: BODY_MAX_BYTES.comment,
  response: Comment,
  errors: ['INVALID', 'NOT_FOUND', 'FORBIDDEN'],

  handle: ({ params, body, actor, deps }) => editComment(deps, actor, { commentId: params.id, ...body }),
})
