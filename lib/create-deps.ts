import { createEmitter } from '../realtime/emitter.ts'
import { createAuthLimits } from './limits/auth-limits.ts'
import { createUnansweredRotations } from './auth/refresh-session.ts'
import { createTokenVerifier } from './auth/verify-token.ts'
import { createCommentCaches } from './comments/caches.ts'
import type { Config } from './config.ts'
import { type BatchLimits, createBatchWriter } from './conflicts/writer/batch-writer.ts'
import { createConflictReads } from './conflicts/conflict-reads.ts'
import { countQueued } from './conflicts/count-queued.ts'
import type { Database } from './db/connect.ts'
import type { Deps } from './deps.ts'
import { createImages } from './images/create-images.ts'
import type { Images } from './images/images.ts'
import { createInOrder, type InOrder } from './concurrency/keyed-queue.ts'
import type { Logger } from './observability/log.ts'
import { createMetrics } from './observability/metrics.ts'
import { createRateLimits } from './limits/rate-limits.ts'
import { type ApprovalsLimits, createApprovals } from './requests/approval/approval-runner.ts'
import { createKnownGames } from './royal/known-games.ts'
import { createSources, type Sources } from './sources/sources.ts'
import { createStorage } from './storage/create-storage.ts'
import type { Storage } from './storage/storage.ts'

/** What a test may put in the place of what the configuration says. */
export interface GivenParts {
  clock?: () => Date
  sources?: Sources
  storage?: Storage
  images?: Images
  batchLimits?: Partial<BatchLimits>
  approvalsLimits?: ApprovalsLimits
  inOrder?: InOrder
}

interface Given extends GivenParts {
  config: Config
  jwtSecret: string
  log: Logger
  db: Database
}

/** Builds everything that lives as long as the process. */
export function createDeps({ config, jwtSecret, log, db, clock = () => new Date(), ...given }: Given): Deps {
  const metrics = createMetrics({ countQueued: () => countQueued({ db }) })
  const storage = given.storage ?? createStorage(config, log)
  const deps = {
    config,
    jwtSecret,
    log,
    clock,
    db,
    metrics,
    emit: createEmitter({ log, metrics }),
    inOrder: given.inOrder ?? createInOrder(),
    limits: createRateLimits(config, clock),
    verifyToken: createTokenVerifier(jwtSecret, clock),
    authLimits: createAuthLimits(clock),
    unansweredRotations: createUnansweredRotations(),
    commentCaches: createCommentCaches(),
    conflictReads: createConflictReads(),
    knownGames: createKnownGames(),
    approvals: createApprovals({ log }, given.approvalsLimits),
    sources: given.sources ?? createSources({ config, log, clock }),
    storage,
    images: given.images ?? createImages({ config, storage }),
  }
  return { ...deps, batchWriter: createBatchWriter(deps, given.batchLimits) }
}
