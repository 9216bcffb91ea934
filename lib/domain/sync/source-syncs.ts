import type { SyncSource } from '#lib/contract/sync'
import { SYNC_TIMEOUTS } from '#lib/infrastructure/concurrency/timeouts'
import { createJob, createJobs, type Job } from '#lib/infrastructure/jobs/create-job'
import type { SyncDeps } from './deps.ts'
import { findNextAt } from './list-syncs.ts'
import { beginWalk, leaseOf, runWalk } from './run-walk.ts'

export interface SourceSyncs extends Pick<Job, 'start' | 'stop'> {
  /** Checks at once whether a walk of a source is due. */
  wake(source: SyncSource): void
}

export type SyncLimits = typeof SYNC_TIMEOUTS

/** Creates the jobs of the sources in `SYNC`. A job begins a walk that is due, and goes on with an interrupted one. */
export function createSourceSyncs(deps: SyncDeps, overrides: Partial<SyncLimits> = {}): SourceSyncs {
  const limits = { ...SYNC_TIMEOUTS, ...overrides }
  const { pauseMs } = limits

  function createSourceJob(source: SyncSource): Job {
    async function isDue(): Promise<boolean> {
      const last = await deps.db.syncs.findOne({ _id: source })
      if (last === null || last.state === 'running') return true
      const nextAt = findNextAt(deps, last)
      return nextAt !== null && nextAt <= deps.clock()
    }
    return createJob(deps, {
      ...limits,
      name: leaseOf(source),
      isDue,
      async run({ stopping, signal }) {
        // Another instance may have done the walk meanwhile.
        if (!(await isDue())) return null
        await beginWalk(deps, source)
        const walk = await runWalk(deps, { source, pauseMs, stopping, signal })
        return walk && { state: walk.state, read: walk.read, message: walk.message }
      },
    })
  }

  return createJobs([...deps.config.sync], createSourceJob)
}
