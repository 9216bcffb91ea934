import type { CommonDeps } from '../../infrastructure/deps.ts'
import type { ExistingGames } from '../catalogue/existing-games.ts'

export interface RoyalDeps extends Pick<CommonDeps, 'clock' | 'db' | 'instance' | 'queue' | 'emit'> {
  existingGames: ExistingGames
}
