import type { Emitter } from '../realtime/emitter.ts'
import type { AuthLimits } from './auth/auth-limits.ts'
import type { UnansweredRotations } from './auth/refresh-session.ts'
import type { TokenVerifier } from './auth/verify-token.ts'
import type { CommentCaches } from './comments/caches.ts'
import type { Config } from './config.ts'
import type { BatchWriter } from './conflicts/batch-writer.ts'
import type { ConflictReads } from './conflicts/conflict-reads.ts'
import type { Database } from './db/connect.ts'
import type { Documents } from './docs/create-documents.ts'
import type { Images } from './images/images.ts'
import type { InOrder } from './ops/in-order.ts'
import type { Logger } from './ops/log.ts'
import type { Metrics } from './ops/metrics.ts'
import type { RateLimits } from './ops/rate-limits.ts'
import type { ConsolePages } from './pages/create-console.ts'
import type { Approvals } from './requests/approvals.ts'
import type { KnownGames } from './royal/known-games.ts'
import type { Sources } from './sources/sources.ts'
import type { Storage } from './storage/storage.ts'

/** Everything that a verb may use, built once at the start and passed on. */
export interface Deps {
  config: Config
  /** Signs and verifies the access tokens. */
  jwtSecret: string
  log: Logger
  /** The present time; tests hand in their own. */
  clock: () => Date
  db: Database
  emit: Emitter
  inOrder: InOrder
  metrics: Metrics
  limits: RateLimits
  verifyToken: TokenVerifier
  authLimits: AuthLimits
  unansweredRotations: UnansweredRotations
  commentCaches: CommentCaches
  conflictReads: ConflictReads
  knownGames: KnownGames
  sources: Sources
  storage: Storage
  images: Images
  batchWriter: BatchWriter
  approvals: Approvals
}

/** What functions may use besides: the documents describe them, so they are known only when all are loaded, and pages are for HTTP alone. */
export interface FunctionDeps extends Deps {
  documents: Documents
  console: ConsolePages
}
