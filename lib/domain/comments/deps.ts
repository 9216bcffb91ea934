import type { CommonDeps } from '../../infrastructure/deps.ts'
import type { RateLimits } from '../../infrastructure/limits/rate-limits.ts'
import type { ExistingGames } from '../catalogue/existing-games.ts'
import type { CommentCaches } from './caches.ts'

export interface CommentsDeps extends CommonDeps {
  limits: RateLimits
  commentCaches: CommentCaches
  existingGames: ExistingGames
}

export type ShowDeps = Pick<CommentsDeps, 'db' | 'commentCaches' | 'storage'>
