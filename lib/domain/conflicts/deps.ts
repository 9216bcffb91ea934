import type { Config } from '../../base/config.ts'
import type { Failpoint } from '../../infrastructure/concurrency/failpoint.ts'
import type { KeyedQueue } from '../../infrastructure/concurrency/keyed-queue.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Emitter } from '../../infrastructure/events/emitter.ts'
import type { Feed } from '../../infrastructure/events/feed.ts'
import type { Images } from '../../infrastructure/images/images.ts'
import type { Pace } from '../../infrastructure/jobs/pace.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'
import type { Sources } from '../../infrastructure/sources/sources.ts'
import type { Storage } from '../../infrastructure/storage/storage.ts'
import type { ConflictCounts } from './conflict-counts.ts'

export interface ConflictsDeps {
  clock: () => Date
  log: Logger
  emit: Emitter
  instance: string
  feed: Pick<Feed, 'answerLost'>
  queue: KeyedQueue
  config: Config
  db: Database
  failpoint: Failpoint
  conflictCounts: ConflictCounts
  pace: Pace
  sources: Sources
  storage: Storage
  images: Images
}
