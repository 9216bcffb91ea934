import { createKeyedQueue, type KeyedQueue } from '#lib/infrastructure/concurrency/keyed-queue'

/** The last of many requests of one user waits longer on a busy machine than a client would. */
export function createPatientQueue(): KeyedQueue {
  const { run } = createKeyedQueue()
  return { run: (key, task, options) => run(key, task, { ...options, maxWaitMs: 25_000 }) }
}
