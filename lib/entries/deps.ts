import type { Database } from '../db/connect.ts'

export interface EntriesDeps {
  db: Database
}
