import { createEmitter } from '../realtime/emitter.ts'
import type { RealtimeDeps } from '../realtime/server.ts'
import { createPasswords } from './auth/passwords.ts'
import { createFreshSessionUsers, createSessionUserCache } from './auth/session-user-cache.ts'
import { createTokenVerifier } from './auth/tokens.ts'
import { createUnansweredRotations } from './auth/unanswered-rotations.ts'
import { createExistingGames } from './catalogue/existing-games.ts'
import { createCommentCaches } from './comments/caches.ts'
import { createCoalescedReads } from './concurrency/coalesced-reads.ts'
import { type Failpoint, noFailpoint } from './concurrency/failpoint.ts'
import { createKeyedQueue, type KeyedQueue } from './concurrency/keyed-queue.ts'
import { CONFLICT_COUNTS_EVERY_MS } from './concurrency/timeouts.ts'
import type { Config } from './config.ts'
import { countBySource, createConflictCounts } from './conflicts/conflict-counts.ts'
import { type ConflictName, QUEUED } from './conflicts/states.ts'
import { type BatchLimits, createBatchWriter } from './conflicts/writer/batch-writer.ts'
import type { Source } from './contract/sources.ts'
import type { Database } from './db/connect.ts'
import { createActiveDiscussions } from './discussions/active-discussions.ts'
import { createFeed } from './events/feed.ts'
import { createInstanceId } from './events/sent-by.ts'
import { createImages } from './images/create-images.ts'
import type { Images } from './images/images.ts'
import { type AuthLimits, createAuthLimits } from './limits/auth-limits.ts'
import { createRateLimits } from './limits/rate-limits.ts'
import type { Logger } from './observability/log.ts'
import { createMetrics } from './observability/metrics.ts'
import { createOperationsSampler } from './operations/sampler.ts'
import { type ApprovalRunnerOptions, createApprovalRunner } from './requests/approval/approval-runner.ts'
import { createCleanUpJob } from './requests/approval/clean-up.ts'
import { createIndexNow, type IndexNow } from './search-engines/indexnow.ts'
import { createSources, type Sources } from './sources/sources.ts'
import { createStorage } from './storage/create-storage.ts'
import type { Storage } from './storage/storage.ts'

/** Parts that a test may put in the place of the configured ones. */
export interface GivenParts {
  clock?: () => Date
  failpoint?: Failpoint
  sources?: Sources
  indexNow?: IndexNow
  storage?: Storage
  images?: Images
  batchLimits?: Partial<BatchLimits>
  /** See `CONFLICT_COUNTS_EVERY_MS`; 0 where a test writes conflicts itself. */
  conflictCountsEveryMs?: number
  approvalRunnerOptions?: ApprovalRunnerOptions
  queue?: KeyedQueue
  authLimits?: AuthLimits
}

interface DepsOptions extends GivenParts {
  config: Config
  jwtSecret: string
  log: Logger
  db: Database
}

export function createDeps({
  config,
  jwtSecret,
  log,
  db,
  clock = () => new Date(),
  failpoint = noFailpoint,
  ...given
}: DepsOptions): RealtimeDeps {
  db.onUnreadable((document) => log.warn(document, 'stored document cannot be read, left out'))
  const conflictCounts = createConflictCounts(db, {
    intervalMs: given.conflictCountsEveryMs ?? CONFLICT_COUNTS_EVERY_MS,
  })
  const metrics = createMetrics({ countQueued: () => countBySource(conflictCounts.recent, QUEUED) })
  const storage = given.storage ?? createStorage(config)
  const instance = createInstanceId()
  const feed = createFeed({ instance, log, metrics, connect: db.connectFeed })
  const commentCaches = createCommentCaches(feed)
  const deps = {
    config,
    jwtSecret,
    log,
    clock,
    failpoint,
    db,
    metrics,
    emit: createEmitter({ log, metrics }),
    instance,
    feed,
    queue: given.queue ?? createKeyedQueue(),
    limits: createRateLimits(config),
    verifyToken: createTokenVerifier(jwtSecret, clock),
    authLimits: given.authLimits ?? createAuthLimits({ limits: db.limits, secret: jwtSecret }),
    passwords: createPasswords(),
    unansweredRotations: createUnansweredRotations(),
    commentCaches,
    activeDiscussions: createActiveDiscussions({ db, commentCaches, storage }),
    sessionUsers: createSessionUserCache(feed),
    freshSessionUsers: createFreshSessionUsers(),
    existingGames: createExistingGames(feed),
    conflictCounts,
    firstWaiting: createCoalescedReads<readonly Source[], ConflictName | null>(),
    operationsSampler: createOperationsSampler({ metrics, clock }),
    approvalRunner: createApprovalRunner(given.approvalRunnerOptions),
    sources: given.sources ?? createSources({ config, log, clock }),
    indexNow: given.indexNow ?? createIndexNow({ config, log }),
    storage,
    images: given.images ?? createImages({ config, storage }),
  }
  return { ...deps, batchWriter: createBatchWriter(deps, given.batchLimits), requestsCleanUp: createCleanUpJob(deps) }
}
