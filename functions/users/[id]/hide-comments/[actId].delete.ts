import { HideAct, HideActParams } from '#lib/contract/persons'
import { showComments } from '#lib/domain/users/hide-comments'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Show again, in the background, the comments that an act has hidden and nobody has decided about since',
  auth: 'admin',
  limit: 'commentChanges',
  params: HideActParams,
  response: HideAct,
  errors: ['NOT_FOUND'],

  handle: ({ params: { id, actId }, actor, deps }) => showComments(deps, actor, { userId: id, actId }),
})
