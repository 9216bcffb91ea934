import { createClient } from '../client/index.ts'
import { baseUrl } from './settings.ts'

export { ApiError, type Refusable, type Settled, type Store, settle } from '../client/index.ts'

/** Browsers hold all requests that outlive their page to 64 kB. */
const KEPT_ALIVE_MAX = 2_000

/** A short change goes through also when the page is closed meanwhile. */
const isKeptAlive = ({ method = 'GET', body }: RequestInit = {}) =>
  method !== 'GET' && String(body ?? '').length <= KEPT_ALIVE_MAX

/** The service, as this tab sees it. */
export const hall = createClient({
  baseUrl,
  fetch: (input, init) => fetch(input, { ...init, keepalive: isKeptAlive(init) }),
})
