import type { InfrastructureDeps } from '../../infrastructure/deps.ts'
import type { ExistingGames } from '../catalogue/existing-games.ts'
import type { CommentCaches } from './caches.ts'

export interface CommentsDeps
  extends Pick<
    InfrastructureDeps,
    'clock' | 'config' | 'db' | 'emit' | 'failpoint' | 'instance' | 'limits' | 'queue' | 'storage'
  > {
  commentCaches: CommentCaches
  existingGames: ExistingGames
}

export type ShowDeps = Pick<CommentsDeps, 'db' | 'commentCaches' | 'storage'>
