import { BODY_MAX_BYTES, Comment, CreateCommentBody } from '../lib/contract/index.ts'
import { createComment } from '../lib/domain/comments/create-comment.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Post a comment on a game, or a reply to one of its visible comments',
  description:
    'With HOLD_FIRST_COMMENTS a comment of an account with fewer visible ones waits for a moderator: the answer has status ' +
    'hidden and isHeld, nobody else reads it, and no event is sent until it is shown.',
  auth: 'user',
  limit: 'commentAttempts',
  excludesSender: true,
  status: 201,
  body: CreateCommentBody,
  maxBodyBytes: BODY_MAX_BYTES.comment,
  response: Comment,
  errors: ['INVALID', 'NOT_FOUND'],

  handle: ({ body, actor, deps }) => createComment(deps, actor, body),
})
