import type { Database } from '#lib/infrastructure/db/connect'
import type { Storage } from '#lib/infrastructure/storage/storage'

export interface GamesDeps {
  clock: () => Date
  db: Database
  storage: Storage
}
