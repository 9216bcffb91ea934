import type { ConflictCounts } from '../conflicts/conflict-counts.ts'
import type { Database } from '../db/connect.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Sources } from '../sources/sources.ts'
import type { OperationsSampler } from './sampler.ts'

export interface OperationsDeps {
  clock: () => Date
  db: Database
  conflictCounts: ConflictCounts
  metrics: Metrics
  sources: Sources
  operationsSampler: OperationsSampler
}
