import type { Database } from '../db/connect.ts'
import type { Emitter } from '../emitter.ts'
import type { ExistingGames } from '../events/existing-games.ts'

export interface RoyalDeps {
  db: Database
  instance: string
  emit: Emitter
  existingGames: ExistingGames
}
