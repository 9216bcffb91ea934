import type { AuthDeps } from './auth/deps.ts'
import type { CharactersDeps } from './characters/deps.ts'
import type { CommentsDeps } from './comments/deps.ts'
import type { ConflictsDeps } from './conflicts/deps.ts'
import type { BatchWriter } from './conflicts/writer/batch-writer.ts'
import type { ActiveDiscussions } from './discussions/active-discussions.ts'
import type { Emitter } from './emitter.ts'
import type { Feed } from './events/feed.ts'
import type { GamesDeps } from './games/deps.ts'
import type { Job } from './jobs/create-job.ts'
import type { NotificationsDeps } from './notifications/deps.ts'
import type { Metrics } from './observability/metrics.ts'
import type { OperationsDeps } from './operations/deps.ts'
import type { RequestsDeps } from './requests/deps.ts'
import type { RoyalDeps } from './royal/royal-list.ts'
import type { StaffDeps } from './staff/deps.ts'
import type { UsersDeps } from './users/deps.ts'

/** Everything that is built once at the start and passed on: what each domain needs, and what functions and sockets use. */
export interface Deps
  extends AuthDeps,
    CharactersDeps,
    CommentsDeps,
    ConflictsDeps,
    GamesDeps,
    NotificationsDeps,
    OperationsDeps,
    RequestsDeps,
    RoyalDeps,
    StaffDeps,
    UsersDeps {
  activeDiscussions: ActiveDiscussions
  emit: Emitter
  feed: Feed
  metrics: Metrics
  batchWriter: BatchWriter
  requestsCleanUp: Job
}
