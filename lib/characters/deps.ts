import type { Database } from '../db/connect.ts'

export interface CharactersDeps {
  clock: () => Date
  db: Database
}
