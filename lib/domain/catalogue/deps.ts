import type { Database } from '../../infrastructure/db/connect.ts'
import type { Storage } from '../../infrastructure/storage/storage.ts'

export interface CatalogueDeps {
  clock: () => Date
  db: Database
  storage: Storage
}
