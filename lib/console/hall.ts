import { createClient } from '../client/index.ts'
import { baseUrl, settings } from './settings.ts'

export { ApiError, type Refusable, type Settled, type Store, settle } from '../client/index.ts'

/** Longest body that is sent with `keepalive`: browsers limit all such requests together to 64 kB. */
const KEPT_ALIVE_MAX = 2_000

/** True when a change is sent although the page is closed meanwhile. */
const isKeptAlive = ({ method = 'GET', body }: RequestInit = {}) =>
  method !== 'GET' && String(body ?? '').length <= KEPT_ALIVE_MAX

export const hall = createClient({
  baseUrl,
  socketPath: settings.socketPath,
  // Only the site can renew its session.
  ...(settings.signInUrl !== undefined && { refresh: async () => false }),
  fetch: (input, init) => fetch(input, { ...init, keepalive: isKeptAlive(init) }),
})
