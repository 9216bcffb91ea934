import { HideAct, HideCommentsBody, IdParams } from '#lib/contract/index'
import { hideComments } from '#lib/domain/users/hide-comments'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Hide all visible comments of a user in the background',
  description:
    'Comments posted later stay, except those that a user who is suspended within 8 seconds posts until then. A comment that an admin decides about meanwhile stays as decided.',
  auth: 'admin',
  limit: 'commentChanges',
  params: IdParams,
  body: HideCommentsBody,
  response: HideAct,
  errors: ['NOT_FOUND'],

  handle: ({ params, body, actor, deps }) => hideComments(deps, actor, { userId: params.id, ...body }),
})
