import type { Database } from '../../infrastructure/db/connect.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'

export interface StaffDeps {
  clock: () => Date
  db: Database
  log: Logger
}
