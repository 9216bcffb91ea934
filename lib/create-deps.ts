import { createEmitter } from '../realtime/emitter.ts'
import type { RealtimeDeps } from '../realtime/server.ts'
import { createErasureJob } from './domain/accounts/erase-account.ts'
import { createPasswords } from './domain/auth/passwords.ts'
import { createRecordedAddresses } from './domain/auth/record-address.ts'
import { createTokenVerifier, createUnansweredRotations } from './domain/auth/sessions/tokens.ts'
import { createSiteVerifier } from './domain/auth/site-claims.ts'
import { createSessionUserCache } from './domain/auth/stored-user.ts'
import { createExistingGames } from './domain/catalogue/existing-games.ts'
import { createKeysJob } from './domain/catalogue/keys/keys-job.ts'
import { createActiveDiscussions } from './domain/comments/active-discussions.ts'
import { createCommentCaches } from './domain/comments/caches.ts'
import { createConflictCounts } from './domain/conflicts/conflict-counts.ts'
import { type BatchLimits, createBatchWriter } from './domain/conflicts/writer/batch-writer.ts'
import { addGauges } from './domain/operations/add-gauges.ts'
import { createApprovalRunner } from './domain/requests/approval/approval-runner.ts'
import { createCleanUpJob } from './domain/requests/approval/clean-up.ts'
import { createSourceSyncs, type SyncLimits } from './domain/sync/source-syncs.ts'
import { createCommentActsJob } from './domain/users/comment-acts-job.ts'
import { noFailpoint } from './infrastructure/concurrency/failpoint.ts'
import { createKeyedQueue } from './infrastructure/concurrency/keyed-queue.ts'
import { CONFLICT_COUNTS_EVERY_MS, FEED_LIVE_MS } from './infrastructure/concurrency/timeouts.ts'
import type { InfrastructureDeps } from './infrastructure/deps.ts'
import { createFeed } from './infrastructure/events/feed.ts'
import { createInstanceId } from './infrastructure/events/sent-by.ts'
import { createImages } from './infrastructure/images/create-images.ts'
import { createPace } from './infrastructure/jobs/pace.ts'
import { createAuthLimits } from './infrastructure/limits/auth-limits.ts'
import { createRateLimits } from './infrastructure/limits/rate-limits.ts'
import { createMetrics } from './infrastructure/observability/metrics.ts'
import { createOperationsSampler } from './infrastructure/observability/sampler.ts'
import { createIndexNow } from './infrastructure/sources/indexnow.ts'
import { createSources } from './infrastructure/sources/sources.ts'
import { createStorage } from './infrastructure/storage/create-storage.ts'

/** Parts that a test may put in the place of the configured ones. */
export interface ReplacedParts
  extends Partial<
    Pick<
      InfrastructureDeps,
      'authLimits' | 'clock' | 'failpoint' | 'images' | 'indexNow' | 'pace' | 'queue' | 'sources' | 'storage'
    >
  > {
  batchLimits?: Partial<BatchLimits>
  syncLimits?: Partial<SyncLimits>
  /** See `CONFLICT_COUNTS_EVERY_MS`; 0 where a test writes conflicts itself. */
  conflictCountsEveryMs?: number
  /** `FEED_LIVE_MS`; shorter where a test has a single instance. */
  cacheLagMs?: number
  /** The least time of a sign-in; see `createPasswords`. */
  passwordCheckMs?: number
}

interface DepsOptions extends ReplacedParts, Pick<InfrastructureDeps, 'config' | 'db' | 'log'> {
  jwtSecret: string
}

export function createDeps({
  config,
  jwtSecret,
  log,
  db,
  clock = () => new Date(),
  failpoint = noFailpoint,
  ...replaced
}: DepsOptions): RealtimeDeps {
  db.onUnreadable((document) => log.warn(document, 'stored document cannot be read, left out'))
  const conflictCounts = createConflictCounts(db, {
    intervalMs: replaced.conflictCountsEveryMs ?? CONFLICT_COUNTS_EVERY_MS,
  })
  const metrics = createMetrics()
  const storage = replaced.storage ?? createStorage(config)
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
    queue: replaced.queue ?? createKeyedQueue(),
    limits: createRateLimits(config),
    verifyToken: createTokenVerifier(jwtSecret, clock),
    verifySiteToken: config.site && createSiteVerifier({ jwtSecret, log, clock }, config.site),
    authLimits: replaced.authLimits ?? createAuthLimits({ limits: db.limits, secret: jwtSecret }),
    passwords: createPasswords({ checkMs: replaced.passwordCheckMs }),
    unansweredRotations: createUnansweredRotations(),
    recordedAddresses: createRecordedAddresses(),
    commentCaches,
    activeDiscussions: createActiveDiscussions({ db, commentCaches, storage }),
    sessionUsers: createSessionUserCache(feed),
    cacheLagMs: replaced.cacheLagMs ?? FEED_LIVE_MS,
    existingGames: createExistingGames(feed),
    conflictCounts,
    pace: replaced.pace ?? createPace(db),
    operationsSampler: createOperationsSampler({ metrics, clock }),
    draining: new AbortController(),
    approvalRunner: createApprovalRunner(),
    sources: replaced.sources ?? createSources({ config, log, clock }),
    indexNow: replaced.indexNow ?? createIndexNow({ config, log }),
    storage,
    images: replaced.images ?? createImages({ config, storage }),
  }
  addGauges(deps)
  const batchWriter = createBatchWriter(deps, replaced.batchLimits)
  return {
    ...deps,
    batchWriter,
    sourceSyncs: createSourceSyncs({ ...deps, batchWriter }, replaced.syncLimits),
    requestsCleanUp: createCleanUpJob(deps),
    accountErasure: createErasureJob(deps),
    commentActs: createCommentActsJob(deps),
    keysJob: createKeysJob(deps),
  }
}
