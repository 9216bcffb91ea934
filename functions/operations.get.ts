import { Operations } from '../lib/contract/measurements.ts'
import { readOperations } from '../lib/domain/operations/read-operations.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Read the health and load of this instance, with rates that are at most 5 s old',
  auth: 'admin',
  response: Operations,

  handle: ({ deps }) => readOperations(deps),
})
