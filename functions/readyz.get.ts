import { Health } from '../lib/contract/measurements.ts'
import { checkReady } from '../lib/domain/operations/check-ready.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Report whether the database answers, and this instance is not about to stop',
  auth: 'public',
  response: Health,
  errors: ['UNAVAILABLE'],

  async handle({ deps }) {
    await checkReady(deps)
    return { status: 'ok' }
  },
})
