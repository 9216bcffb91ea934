import type { Failpoint } from '../concurrency/failpoint.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import type { Images } from '../images/images.ts'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { IndexNow } from '../search-engines/indexnow.ts'
import type { Sources } from '../sources/sources.ts'
import type { Storage } from '../storage/storage.ts'
import type { ApprovalRunner } from './approval/approval-runner.ts'

export interface RequestsDeps {
  config: Config
  log: Logger
  metrics: Metrics
  clock: () => Date
  failpoint: Failpoint
  db: Database
  sources: Sources
  indexNow: IndexNow
  storage: Storage
  images: Images
  approvalRunner: ApprovalRunner
}
