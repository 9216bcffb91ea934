import type { RateLimits } from '../../infrastructure/limits/rate-limits.ts'
import type { StaffDeps } from '../staff/deps.ts'

export interface ServiceKeysDeps extends Pick<StaffDeps, 'db' | 'clock'> {
  limits: Pick<RateLimits, 'serviceKeys'>
}
