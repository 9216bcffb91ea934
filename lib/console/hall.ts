import { createClient } from '../client/index.ts'
import { baseUrl } from './settings.ts'

export { ApiError, type Refusable, type Settled, type Store, settle } from '../client/index.ts'

/** The service, as this tab sees it. */
export const hall = createClient({ baseUrl })
