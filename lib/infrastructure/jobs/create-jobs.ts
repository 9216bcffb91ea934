import type { Job } from './create-job.ts'

/** Creates a job for each key. The jobs start and stop together, and each can be woken alone. */
export function createJobs<K>(keys: readonly K[], createJobFor: (key: K) => Job) {
  const jobs = new Map(keys.map((key) => [key, createJobFor(key)]))
  return {
    start() {
      for (const job of jobs.values()) job.start()
    },
    wake: (key: K) => jobs.get(key)?.wake(),
    async stop() {
      await Promise.all([...jobs.values()].map((job) => job.stop()))
    },
  }
}
