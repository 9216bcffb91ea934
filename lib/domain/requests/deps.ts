import type { CommonDeps } from '../../infrastructure/deps.ts'
import type { Images } from '../../infrastructure/images/images.ts'
import type { Metrics } from '../../infrastructure/observability/metrics.ts'
import type { IndexNow } from '../../infrastructure/sources/indexnow.ts'
import type { Sources } from '../../infrastructure/sources/sources.ts'
import type { ApprovalRunner } from './approval/approval-runner.ts'

export interface RequestsDeps extends CommonDeps {
  metrics: Metrics
  sources: Sources
  indexNow: IndexNow
  images: Images
  approvalRunner: ApprovalRunner
}
