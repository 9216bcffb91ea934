import { Health } from '../lib/contract/health.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Tell that the process lives',
  auth: 'public',
  response: Health,
  errors: [],

  async handle() {
    return { status: 'ok' }
  },
})
