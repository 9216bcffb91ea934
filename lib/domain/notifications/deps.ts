import type { InfrastructureDeps } from '../../infrastructure/deps.ts'

export type NotificationsDeps = Pick<InfrastructureDeps, 'db'>
