import { Platforms } from '../lib/contract/catalogue.ts'
import { listPlatforms } from '../lib/domain/catalogue/platforms/list-platforms.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List all platforms by name',
  auth: 'public',
  response: Platforms,

  handle: ({ deps }) => listPlatforms(deps),
})
