import type { InfrastructureDeps } from '../../infrastructure/deps.ts'
import type { Passwords } from './passwords.ts'
import type { RecordedAddresses } from './record-address.ts'
import type { TokenVerifier, UnansweredRotations } from './sessions/tokens.ts'
import type { SiteTokenVerifier } from './site-claims.ts'
import type { SessionUserCache } from './stored-user.ts'

export interface AuthDeps
  extends Pick<InfrastructureDeps, 'authLimits' | 'clock' | 'config' | 'db' | 'failpoint' | 'log'> {
  jwtSecret: string
  verifyToken: TokenVerifier
  /** Undefined unless the sessions are those of the site: then no other token is one. */
  verifySiteToken: SiteTokenVerifier | undefined
  sessionUsers: SessionUserCache
  /** The time for which a cache of another instance may lag behind a write, in milliseconds. */
  cacheLagMs: number
  passwords: Passwords
  unansweredRotations: UnansweredRotations
  recordedAddresses: RecordedAddresses
}
