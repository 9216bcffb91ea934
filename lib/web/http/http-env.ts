import type { HttpBindings } from '@hono/node-server'
import type { SessionUser } from '../../domain/auth/session-user.ts'
import type { RequestParts } from '../../infrastructure/observability/request-parts.ts'

export interface HttpEnv {
  /** The Node adapter always passes the request and its answer. */
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** What the request waits for. */
    parts: RequestParts
    /** Time left after the session check; unset without a check. */
    timeoutMs: number | undefined
    user: SessionUser | null
    /** The name of the service key, unset where the request has none. */
    serviceKey: string | undefined
    address: string
    body: Uint8Array
    /** The keyed hash of the e-mail address that a sign-in or a sign-up names. */
    emailHash: string | undefined
    /** The pattern of the matched path; unset where none matched. */
    route: string | undefined
  }
}
