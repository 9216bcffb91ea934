import type { ConflictReads } from '../conflicts/conflict-reads.ts'
import type { Database } from '../db/connect.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Sources } from '../sources/sources.ts'
import type { OperationsSampler } from './sampler.ts'

export interface OperationsDeps {
  clock: () => Date
  db: Database
  conflictReads: ConflictReads
  metrics: Metrics
  sources: Sources
  operationsSampler: OperationsSampler
}
