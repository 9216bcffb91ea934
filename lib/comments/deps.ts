import type { KeyedQueue } from '../concurrency/keyed-queue.ts'
import type { Database } from '../db/connect.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { Logger } from '../observability/log.ts'
import type { CommentCaches } from './caches.ts'

export interface CommentsDeps {
  clock: () => Date
  db: Database
  queue: KeyedQueue
  limits: RateLimits
  log: Logger
  commentCaches: CommentCaches
}
