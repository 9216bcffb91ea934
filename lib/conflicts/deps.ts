import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { ConflictReads } from './conflict-reads.ts'
import type { DecisionWrites } from './write-decisions.ts'

export interface ConflictsDeps {
  config: Config
  db: Database
  conflictReads: ConflictReads
  decisionWrites: DecisionWrites
}
