import type { Config } from '../../base/config.ts'
import type { Failpoint } from '../../infrastructure/concurrency/failpoint.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Images } from '../../infrastructure/images/images.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'
import type { Metrics } from '../../infrastructure/observability/metrics.ts'
import type { IndexNow } from '../../infrastructure/sources/indexnow.ts'
import type { Sources } from '../../infrastructure/sources/sources.ts'
import type { Storage } from '../../infrastructure/storage/storage.ts'
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
