import type { KeyedQueue } from '../../infrastructure/concurrency/keyed-queue.ts'
import type { Images } from '../../infrastructure/images/images.ts'
import type { Job } from '../../infrastructure/jobs/create-job.ts'
import type { Storage } from '../../infrastructure/storage/storage.ts'
import type { StaffDeps } from '../staff/deps.ts'

export interface UsersDeps extends StaffDeps {
  queue: KeyedQueue
  images: Images
  storage: Storage
  commentActs: Job
}
