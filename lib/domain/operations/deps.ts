import type { Config } from '../../base/config.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Feed } from '../../infrastructure/events/feed.ts'
import type { Metrics } from '../../infrastructure/observability/metrics.ts'
import type { OperationsSampler } from '../../infrastructure/observability/sampler.ts'
import type { Sources } from '../../infrastructure/sources/sources.ts'
import type { ConflictCounts } from '../conflicts/conflict-counts.ts'

export interface OperationsDeps {
  clock: () => Date
  db: Database
  conflictCounts: ConflictCounts
  metrics: Metrics
  sources: Sources
  operationsSampler: OperationsSampler
  /** Aborted once this process is about to stop: it is ready no more. */
  draining: AbortController
  config: Config
  feed: Feed
}
