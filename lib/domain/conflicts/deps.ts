import type { InfrastructureDeps } from '../../infrastructure/deps.ts'
import type { Pace } from '../../infrastructure/jobs/pace.ts'
import type { ConflictCounts } from './conflict-counts.ts'

export interface ConflictsDeps
  extends Pick<
    InfrastructureDeps,
    'clock' | 'config' | 'db' | 'emit' | 'failpoint' | 'images' | 'instance' | 'log' | 'queue' | 'sources' | 'storage'
  > {
  feed: Pick<InfrastructureDeps['feed'], 'answerLost'>
  conflictCounts: ConflictCounts
  pace: Pace
}
