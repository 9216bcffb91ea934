import { createSemaphore, type Semaphore } from '#lib/infrastructure/concurrency/semaphore'

/** The chunks of entries that a process matches at once, each entry by entry. */
const MATCHES_AT_ONCE = 2

/** What all lists share that a process works on. */
export interface Intake {
  matches: Semaphore
  /** Conflicts that were written and that the event at the end of their list will name. */
  unannounced: Set<string>
}

export const createIntake = (): Intake => ({ matches: createSemaphore(MATCHES_AT_ONCE), unannounced: new Set() })
