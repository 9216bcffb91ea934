import type { SessionUser } from '../auth/find-session-user.ts'

/** What the middleware of one request hands on. */
export interface HttpEnv {
  Variables: {
    requestId: string
    /** What the session check left of the time that the database may take; unset where there was none. */
    timeoutMs: number | undefined
    user: SessionUser | null
    address: string
    isForwarded: boolean
    /** The pattern of the matched path; unset where none matched. */
    route: string | undefined
  }
}
