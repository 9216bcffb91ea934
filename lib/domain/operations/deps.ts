import type { InfrastructureDeps } from '../../infrastructure/deps.ts'
import type { ConflictCounts } from '../conflicts/conflict-counts.ts'

export interface OperationsDeps
  extends Pick<InfrastructureDeps, 'clock' | 'config' | 'db' | 'feed' | 'metrics' | 'operationsSampler' | 'sources'> {
  conflictCounts: ConflictCounts
  /** Aborted once this process is about to stop: it is ready no more. */
  draining: AbortController
}
