import type { Failpoint } from '../concurrency/failpoint.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { Emitter } from '../emitter.ts'
import type { Logger } from '../observability/log.ts'
import type { ConflictReads } from './conflict-reads.ts'

export interface ConflictsDeps {
  clock: () => Date
  log: Logger
  emit: Emitter
  instance: string
  config: Config
  db: Database
  failpoint: Failpoint
  conflictReads: ConflictReads
}
