import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { AuthLimits } from '../limits/auth-limits.ts'
import type { Logger } from '../observability/log.ts'
import type { UnansweredRotations } from './unanswered-rotations.ts'
import type { TokenVerifier } from './verify-token.ts'

export interface AuthDeps {
  config: Config
  /** Signs and verifies the access tokens. */
  jwtSecret: string
  log: Logger
  clock: () => Date
  db: Database
  verifyToken: TokenVerifier
  authLimits: AuthLimits
  unansweredRotations: UnansweredRotations
}
