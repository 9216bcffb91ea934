import { ObjectId } from 'mongodb'
import { IdParams, ResetLink } from '#lib/contract/index'
import { makeResetLink } from '#lib/domain/auth/reset-link'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Make a one-time link with which a user sets a new password within 24 hours',
  description: 'A newer link, a new password or a deletion makes it void. No mail is sent. Admins get none.',
  auth: 'admin',
  accounts: 'own',
  params: IdParams,
  response: ResetLink,
  errors: ['NOT_FOUND', 'FORBIDDEN'],

  handle: ({ params, actor, deps }) =>
    makeResetLink(deps, {
      actor: actor.user,
      filter: { _id: new ObjectId(params.id) },
      publicUrl: deps.config.publicUrl,
    }),
})
