import type { InfrastructureDeps } from '../../infrastructure/deps.ts'
import type { ApprovalRunner } from './approval/approval-runner.ts'

export interface RequestsDeps
  extends Pick<
    InfrastructureDeps,
    'clock' | 'config' | 'db' | 'failpoint' | 'images' | 'indexNow' | 'log' | 'metrics' | 'sources' | 'storage'
  > {
  approvalRunner: ApprovalRunner
}
