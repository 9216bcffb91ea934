import type { Database } from '../db/connect.ts'

export interface GamesDeps {
  clock: () => Date
  db: Database
}
