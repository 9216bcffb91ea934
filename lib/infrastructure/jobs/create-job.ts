import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/connect.ts'
import { acquireLease, type Lease } from '../db/lease.ts'
import type { Logger } from '../observability/log.ts'

interface JobRun {
  lease: Lease
  /** Aborted by a stop: the run begins no further work. */
  stopping: AbortSignal
  /** Aborted when the lease is lost or the grace period of a stop is over: running work ends. */
  signal: AbortSignal
}

interface JobDefinition {
  name: string
  pollMs: number
  /** Lease duration. Only one instance runs the job; if it dies, another takes over after this time. */
  leaseMs: number
  graceMs: number
  isDue?: () => Promise<boolean>
  /** @returns the fields of the log line, or null when the run did nothing */
  run(run: JobRun): Promise<Record<string, unknown> | null>
}

export type Job = ReturnType<typeof createJob>

/** Creates background work that one instance does at a time. */
export function createJob(
  { db, log }: { db: Pick<Database, 'leases'>; log: Logger },
  { name, pollMs, leaseMs, graceMs, isDue = async () => true, run }: JobDefinition,
) {
  const stopping = new AbortController()
  const ending = new AbortController()
  let waking = new AbortController()
  let loop: Promise<void> | undefined

  async function runOnce(): Promise<void> {
    if (!(await isDue())) return
    const lease = await acquireLease(db.leases, { id: name, lastsMs: leaseMs })
    if (lease === null) return
    const startedAt = performance.now()
    try {
      const signal = AbortSignal.any([lease.lost, ending.signal])
      const result = await run({ lease, stopping: stopping.signal, signal })
      const durationMs = Math.round(performance.now() - startedAt)
      if (result !== null) log.info({ job: name, durationMs, ...result }, 'job finished')
    } finally {
      await lease.release()
    }
  }

  async function runUntilStopped(): Promise<void> {
    let hasFailed = false
    while (!stopping.signal.aborted) {
      waking = new AbortController()
      try {
        await runOnce()
        hasFailed = false
      } catch (error) {
        // An outage is logged once, not every few seconds.
        log[hasFailed ? 'debug' : 'warn']({ err: error, job: name }, 'job failed')
        hasFailed = true
      }
      await sleep(pollMs, undefined, { signal: waking.signal }).catch(() => {})
    }
  }

  return {
    start(): void {
      if (!stopping.signal.aborted) loop ??= runUntilStopped()
    },
    /** Runs the job now, or once more after the current run. */
    wake(): void {
      waking.abort()
    },
    /** Waits for the current run, releases the lease and never runs the job again. */
    async stop(): Promise<void> {
      stopping.abort()
      waking.abort()
      const grace = setTimeout(() => ending.abort(new Error('the service is stopping')), graceMs)
      await loop
      clearTimeout(grace)
    },
  }
}

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
