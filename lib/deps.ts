import type { AccountsDeps } from './domain/accounts/deps.ts'
import type { AuthDeps } from './domain/auth/deps.ts'
import type { CatalogueDeps } from './domain/catalogue/deps.ts'
import type { ActiveDiscussions } from './domain/comments/active-discussions.ts'
import type { CommentsDeps } from './domain/comments/deps.ts'
import type { ConflictsDeps } from './domain/conflicts/deps.ts'
import type { BatchWriter } from './domain/conflicts/writer/batch-writer.ts'
import type { NotificationsDeps } from './domain/notifications/deps.ts'
import type { OperationsDeps } from './domain/operations/deps.ts'
import type { RequestsDeps } from './domain/requests/deps.ts'
import type { RoyalDeps } from './domain/royal/deps.ts'
import type { StaffDeps } from './domain/staff/deps.ts'
import type { SyncDeps } from './domain/sync/deps.ts'
import type { SourceSyncs } from './domain/sync/source-syncs.ts'
import type { UsersDeps } from './domain/users/deps.ts'
import type { Feed } from './infrastructure/events/feed.ts'
import type { Job } from './infrastructure/jobs/create-job.ts'
import type { ServicePace } from './infrastructure/jobs/pace.ts'
import type { Metrics } from './infrastructure/observability/metrics.ts'

/** Everything that is built once at the start and passed on: what each domain needs, and what functions and sockets use. */
export interface Deps
  extends AccountsDeps,
    AuthDeps,
    CatalogueDeps,
    CommentsDeps,
    ConflictsDeps,
    NotificationsDeps,
    OperationsDeps,
    RequestsDeps,
    RoyalDeps,
    StaffDeps,
    SyncDeps,
    UsersDeps {
  activeDiscussions: ActiveDiscussions
  feed: Feed
  metrics: Metrics
  batchWriter: BatchWriter
  sourceSyncs: SourceSyncs
  requestsCleanUp: Job
  keysJob: Job
  pace: ServicePace
}
