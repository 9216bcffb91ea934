import type { Failpoint } from '../concurrency/failpoint.ts'
import type { KeyedQueue } from '../concurrency/keyed-queue.ts'
import type { Database } from '../db/connect.ts'
import type { Emitter } from '../emitter.ts'
import type { ExistingGames } from '../events/existing-games.ts'
import type { Feed } from '../events/feed.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { Logger } from '../observability/log.ts'
import type { CommentCaches } from './caches.ts'
import type { LikeWrites } from './write-likes.ts'

export interface CommentsDeps {
  clock: () => Date
  db: Database
  queue: KeyedQueue
  limits: RateLimits
  log: Logger
  failpoint: Failpoint
  instance: string
  feed: Pick<Feed, 'lostAnswers'>
  emit: Emitter
  commentCaches: CommentCaches
  likeWrites: LikeWrites
  existingGames: ExistingGames
}
