import type { InfrastructureDeps } from '../../infrastructure/deps.ts'
import type { Job } from '../../infrastructure/jobs/create-job.ts'

export interface UsersDeps extends Pick<InfrastructureDeps, 'clock' | 'db' | 'images' | 'log' | 'queue' | 'storage'> {
  commentActs: Job
}
