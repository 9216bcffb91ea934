import { Health } from '../lib/contract/health.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Report whether the database answers',
  auth: 'public',
  response: Health,
  errors: ['UNAVAILABLE'],

  async handle({ deps }) {
    await deps.db.ping()
    return { status: 'ok' }
  },
})
