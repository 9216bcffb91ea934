import type { CoalescedReads } from '../concurrency/coalesced-reads.ts'
import type { Failpoint } from '../concurrency/failpoint.ts'
import type { KeyedQueue } from '../concurrency/keyed-queue.ts'
import type { Config } from '../config.ts'
import type { Source } from '../contract/sources.ts'
import type { Database } from '../db/connect.ts'
import type { Emitter } from '../emitter.ts'
import type { Feed } from '../events/feed.ts'
import type { Images } from '../images/images.ts'
import type { Logger } from '../observability/log.ts'
import type { Sources } from '../sources/sources.ts'
import type { Storage } from '../storage/storage.ts'
import type { ConflictCounts } from './conflict-counts.ts'
import type { ConflictName } from './states.ts'

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
  firstWaiting: CoalescedReads<readonly Source[], ConflictName | null>
  sources: Sources
  storage: Storage
  images: Images
}
