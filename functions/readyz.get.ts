import { Health } from '../lib/contract/operations.ts'
import { defineFunction } from '../lib/http/define-function.ts'

/** Tell whether the database answers. */
export default defineFunction({
  auth: 'public',
  response: Health,
  errors: ['UNAVAILABLE'],

  async handle({ deps }) {
    await deps.db.ping()
    return { status: 'ok' }
  },
})
