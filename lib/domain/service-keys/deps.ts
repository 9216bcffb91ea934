import type { InfrastructureDeps } from '../../infrastructure/deps.ts'

export interface ServiceKeysDeps extends Pick<InfrastructureDeps, 'clock' | 'db'> {
  limits: Pick<InfrastructureDeps['limits'], 'serviceKeys'>
}
