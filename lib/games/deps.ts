import type { Database } from '../db/connect.ts'
import type { Storage } from '../storage/storage.ts'

export interface GamesDeps {
  clock: () => Date
  db: Database
  storage: Storage
}
