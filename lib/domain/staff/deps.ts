import type { InfrastructureDeps } from '../../infrastructure/deps.ts'

export type StaffDeps = Pick<InfrastructureDeps, 'clock' | 'db' | 'log'>
