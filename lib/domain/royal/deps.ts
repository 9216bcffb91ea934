import type { InfrastructureDeps } from '../../infrastructure/deps.ts'
import type { ExistingGames } from '../catalogue/existing-games.ts'

export interface RoyalDeps extends Pick<InfrastructureDeps, 'clock' | 'db' | 'emit' | 'instance' | 'queue'> {
  existingGames: ExistingGames
}
