import type { Emitter } from '../realtime/emitter.ts'
import type { AuthLimits } from './limits/auth-limits.ts'
import type { UnansweredRotations } from './auth/refresh-session.ts'
import type { TokenVerifier } from './auth/verify-token.ts'
import type { CommentCaches } from './comments/caches.ts'
import type { Config } from './config.ts'
import type { BatchWriter } from './conflicts/writer/batch-writer.ts'
import type { ConflictReads } from './conflicts/conflict-reads.ts'
import type { Database } from './db/connect.ts'
import type { Documents } from './docs/create-documents.ts'
import type { Images } from './images/images.ts'
import type { InOrder } from './concurrency/keyed-queue.ts'
import type { Logger } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import type { Approvals } from './requests/approval/approval-runner.ts'
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

/** What functions may use besides: the documents describe them, so they are known only when all are loaded. */
export interface FunctionDeps extends Deps {
  documents: Documents
}
