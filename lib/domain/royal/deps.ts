import type { KeyedQueue } from '../../infrastructure/concurrency/keyed-queue.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Emitter } from '../../infrastructure/events/emitter.ts'
import type { ExistingGames } from '../catalogue/existing-games.ts'

export interface RoyalDeps {
  clock: () => Date
  db: Database
  instance: string
  queue: KeyedQueue
  emit: Emitter
  existingGames: ExistingGames
}
