import { IdParams, NoteBody, UserNote } from '#lib/contract/index'
import { addNote } from '#lib/domain/users/add-note'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Write a note about a user for the admins',
  auth: 'admin',
  limit: 'commentChanges',
  params: IdParams,
  body: NoteBody,
  response: UserNote,
  errors: ['NOT_FOUND'],

  handle: ({ params, body, actor, deps }) => addNote(deps, actor, { userId: params.id, ...body }),
})
