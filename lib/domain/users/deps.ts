import type { KeyedQueue } from '../../infrastructure/concurrency/keyed-queue.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Images } from '../../infrastructure/images/images.ts'
import type { Job } from '../../infrastructure/jobs/create-job.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'
import type { Storage } from '../../infrastructure/storage/storage.ts'

export interface UsersDeps {
  db: Database
  clock: () => Date
  queue: KeyedQueue
  images: Images
  storage: Storage
  log: Logger
  commentActs: Job
}
