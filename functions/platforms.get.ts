import { Platforms } from '../lib/contract/catalogue.ts'
import { defineFunction } from '../lib/http/define-function.ts'
import { listPlatforms } from '../lib/platforms/list-platforms.ts'

export default defineFunction({
  summary: 'List all platforms by name',
  auth: 'public',
  response: Platforms,
  errors: [],

  handle: ({ deps }) => listPlatforms(deps),
})
