import { Operations } from '../lib/contract/measurements.ts'
import { defineFunction } from '../lib/http/define-function.ts'
import { readOperations } from '../lib/operations/read-operations.ts'

export default defineFunction({
  summary: 'Tell how this instance is doing, in one snapshot that is at most 5 s old',
  auth: 'admin',
  response: Operations,
  errors: [],

  async handle({ deps }) {
    return readOperations(deps)
  },
})
