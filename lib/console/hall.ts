import { createClient } from '../client/index.ts'
import { baseUrl } from './settings.ts'

export { ApiError, type Refusable, type Settled, type Store, settle } from '../client/index.ts'

/** A decision that is on its way goes through also when the page is closed meanwhile. */
const isDecision = (input: unknown) => typeof input === 'string' && /\/conflicts\/.+\/decision$/.test(input)

/** The service, as this tab sees it. */
export const hall = createClient({
  baseUrl,
  fetch: (input, init) => fetch(input, isDecision(input) ? { ...init, keepalive: true } : init),
})
