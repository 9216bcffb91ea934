import { createKeyedQueue, type KeyedQueue } from '#lib/infrastructure/concurrency/keyed-queue'

/** On a busy machine the last of many requests of one user waits longer than a client would. */
export function createPatientQueue(): KeyedQueue {
  const { run } = createKeyedQueue()
  return { run: (key, task, options) => run(key, task, { ...options, maxWaitMs: 25_000 }) }
}
