import type { InfrastructureDeps } from '../../infrastructure/deps.ts'

export type CatalogueDeps = Pick<InfrastructureDeps, 'clock' | 'db' | 'storage'>
