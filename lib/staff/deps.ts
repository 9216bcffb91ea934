import type { Database } from '../db/connect.ts'
import type { Logger } from '../observability/log.ts'

export interface StaffDeps {
  clock: () => Date
  db: Database
  log: Logger
}
