import type { Database } from '../db/connect.ts'

export interface PlatformsDeps {
  db: Database
}
