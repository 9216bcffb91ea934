import type { Database } from '../db/connect.ts'
import { acquireLease, type Lease } from '../db/lease.ts'
import type { Logger } from '../observability/log.ts'

interface JobRun {
  lease: Lease
  /** Aborted by a stop: nothing more is begun. */
  stopping: AbortSignal
  /** Aborted when the lease is lost or the time of a stop is over: ends what is under way. */
  signal: AbortSignal
}

interface JobDefinition {
  /** Names its lease, too. */
  name: string
  /** Between two runs; it also runs at the start, and when it is woken. */
  periodMs: number
  /** Of all instances one runs it at a time; another goes on after this time when that one is killed. */
  leaseMs: number
  /** How long a run may go on once it is told to stop. */
  graceMs: number
  /** Asked before the lease is taken. */
  isDue?: () => Promise<boolean>
  /** @returns what its line of the log tells, null when there was nothing to do */
  run(run: JobRun): Promise<Record<string, unknown> | null>
}

/** Work that nobody waits for, done by one instance at a time. */
export interface Job {
  start(): void
  /** Runs it now, or again where it is running. */
  wake(): void
  /** Lets the run under way end, gives its lease back and runs it no more. */
  stop(): Promise<void>
}

export function createJob(
  { db, log }: { db: Pick<Database, 'leases'>; log: Logger },
  { name, periodMs, leaseMs, graceMs, isDue = async () => true, run }: JobDefinition,
): Job {
  const stopping = new AbortController()
  const ending = new AbortController()
  let isWoken = false
  let endPause = () => {}
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

  /** Ends at once when it was woken since the last run began. */
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, periodMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
      if (isWoken || stopping.signal.aborted) endPause()
    })

  async function runUntilStopped(): Promise<void> {
    let hasFailed = false
    while (!stopping.signal.aborted) {
      isWoken = false
      try {
        await runOnce()
        hasFailed = false
      } catch (error) {
        // An outage is logged once, not every few seconds.
        log[hasFailed ? 'debug' : 'warn']({ err: error, job: name }, 'job failed')
        hasFailed = true
      }
      await pause()
    }
  }

  return {
    start() {
      if (!stopping.signal.aborted) loop ??= runUntilStopped()
    },
    wake() {
      isWoken = true
      endPause()
    },
    async stop() {
      stopping.abort()
      endPause()
      const grace = setTimeout(() => ending.abort(new Error('the service is stopping')), graceMs)
      await loop
      clearTimeout(grace)
    },
  }
}
