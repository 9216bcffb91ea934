import type { TakeDeps } from '../domain/conflicts/intake/take-entries.ts'
import { noFailpoint } from '../infrastructure/concurrency/failpoint.ts'

/** Creates the dependencies of an intake in a command: they send no event and wake no job. */
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
