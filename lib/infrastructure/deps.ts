import type { Config } from '../base/config.ts'
import type { Failpoint } from './concurrency/failpoint.ts'
import type { KeyedQueue } from './concurrency/keyed-queue.ts'
import type { Database } from './db/connect.ts'
import type { Emitter } from './events/emitter.ts'
import type { Feed } from './events/feed.ts'
import type { Images } from './images/images.ts'
import type { ServicePace } from './jobs/pace.ts'
import type { AuthLimits } from './limits/auth-limits.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import type { Logger } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'
import type { OperationsSampler } from './observability/sampler.ts'
import type { IndexNow } from './sources/indexnow.ts'
import type { Sources } from './sources/sources.ts'
import type { Storage } from './storage/storage.ts'

/** All parts that the infrastructure offers. Each room of the domain picks those that it uses. */
export interface InfrastructureDeps {
  authLimits: AuthLimits
  clock: () => Date
  config: Config
  db: Database
  emit: Emitter
  failpoint: Failpoint
  feed: Feed
  images: Images
  indexNow: IndexNow
  /** Names this process in everything that it writes. */
  instance: string
  limits: RateLimits
  log: Logger
  metrics: Metrics
  operationsSampler: OperationsSampler
  pace: ServicePace
  queue: KeyedQueue
  sources: Sources
  storage: Storage
}
