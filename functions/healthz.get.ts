import { Health } from '../lib/contract/measurements.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Report that the process is alive',
  auth: 'public',
  response: Health,

  handle: async () => ({ status: 'ok' }),
})
