import type { ExistingGames } from '../catalogue/existing-games.ts'
import type { Failpoint } from '../concurrency/failpoint.ts'
import type { KeyedQueue } from '../concurrency/keyed-queue.ts'
import type { Database } from '../db/connect.ts'
import type { Emitter } from '../emitter.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { CommentCaches } from './caches.ts'

export interface CommentsDeps {
  clock: () => Date
  db: Database
  queue: KeyedQueue
  limits: RateLimits
  failpoint: Failpoint
  instance: string
  emit: Emitter
  commentCaches: CommentCaches
  existingGames: ExistingGames
}
