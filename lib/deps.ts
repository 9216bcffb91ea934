import type { AccountsDeps } from './domain/accounts/deps.ts'
import type { ActiveDiscussions } from './domain/comments/active-discussions.ts'
import type { BatchWriter } from './domain/conflicts/writer/batch-writer.ts'
import type { OperationsDeps } from './domain/operations/deps.ts'
import type { RoyalDeps } from './domain/royal/deps.ts'
import type { SyncDeps } from './domain/sync/deps.ts'
import type { SourceSyncs } from './domain/sync/source-syncs.ts'
import type { UsersDeps } from './domain/users/deps.ts'
import type { InfrastructureDeps } from './infrastructure/deps.ts'
import type { Job } from './infrastructure/jobs/create-job.ts'

/** Everything that is built once at the start and passed on: the tools, and what each room of the domain needs. */
export type Deps = InfrastructureDeps &
  AccountsDeps &
  OperationsDeps &
  RoyalDeps &
  SyncDeps &
  UsersDeps & {
    activeDiscussions: ActiveDiscussions
    batchWriter: BatchWriter
    sourceSyncs: SourceSyncs
    requestsCleanUp: Job
    keysJob: Job
  }
