import type { Config } from '../../base/config.ts'
import type { Failpoint } from '../../infrastructure/concurrency/failpoint.ts'
import type { KeyedQueue } from '../../infrastructure/concurrency/keyed-queue.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Emitter } from '../../infrastructure/events/emitter.ts'
import type { RateLimits } from '../../infrastructure/limits/rate-limits.ts'
import type { Storage } from '../../infrastructure/storage/storage.ts'
import type { ExistingGames } from '../catalogue/existing-games.ts'
import type { CommentCaches } from './caches.ts'

export interface CommentsDeps {
  config: Config
  clock: () => Date
  db: Database
  queue: KeyedQueue
  limits: RateLimits
  failpoint: Failpoint
  instance: string
  emit: Emitter
  commentCaches: CommentCaches
  existingGames: ExistingGames
  storage: Storage
}

export type ShowDeps = Pick<CommentsDeps, 'db' | 'commentCaches' | 'storage'>
