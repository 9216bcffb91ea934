import { Health } from '../lib/contract/operations.ts'
import { defineFunction } from '../lib/http/define-function.ts'

/** Tell that the process lives. */
export default defineFunction({
  auth: 'public',
  response: Health,
  errors: [],

  async handle() {
    return { status: 'ok' }
  },
})
