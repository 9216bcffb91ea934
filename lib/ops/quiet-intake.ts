import type { TakeDeps } from '../domain/conflicts/intake/take-entries.ts'
import { noFailpoint } from '../infrastructure/concurrency/failpoint.ts'

/** Creates what the intake of entries needs in a command: nothing that it announces leaves this process. */
export const createQuietIntake = ({ db, instance, pace }: Pick<TakeDeps, 'db' | 'instance' | 'pace'>): TakeDeps => ({
  db,
  instance,
  pace,
  failpoint: noFailpoint,
  feed: { answerLost: () => {} },
  conflictCounts: { expire: () => {} },
  emit: { conflicts: { applied: () => {} } },
  batchWriter: { wake: () => {} },
})
