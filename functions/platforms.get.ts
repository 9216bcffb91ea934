import { PlatformList } from '../lib/contract/catalogue.ts'
import { defineFunction } from '../lib/http/define-function.ts'
import { listPlatforms } from '../lib/platforms/list-platforms.ts'

/** List all platforms by name. */
export default defineFunction({
  auth: 'public',
  response: PlatformList,
  errors: [],

  handle: ({ deps }) => listPlatforms(deps),
})
