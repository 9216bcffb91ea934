import type { Database } from '../db/connect.ts'

export interface MatchingDeps {
  db: Pick<Database, 'games'>
}
