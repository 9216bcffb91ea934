import { WRITER_TIMEOUTS } from '../../concurrency/timeouts.ts'
import { Source } from '../../contract/sources.ts'
import type { Lease } from '../../db/lease.ts'
import type { EventVersion } from '../../emitter.ts'
import { createJob, type Job } from '../../jobs/create-job.ts'
import { applyBatch } from './apply-batch.ts'
import type { WriterDeps } from './deps.ts'
import { findDecisions } from './find-decisions.ts'

/** Applies what admins decided, in one job a source. */
export interface BatchWriter extends Pick<Job, 'start' | 'stop'> {
  /** Tells that a decision of this source was stored. */
  wake(source: Source): void
}

export interface BatchLimits {
  /** How often it looks for decisions that it was not told of. */
  pollMs: number
  leaseMs: number
  /** Decisions of one batch. */
  size: number
  /** Reading ends after this time, and then writing the entries that were read last. */
  workMs: number
  /** All downloads of one decision share this time. */
  imagesMs: number
  /** How long a decision under way may take once the writer is told to stop. */
  graceMs: number
}

const LIMITS: BatchLimits = { ...WRITER_TIMEOUTS, size: 100 }

export function createBatchWriter(deps: WriterDeps, given: Partial<BatchLimits> = {}): BatchWriter {
  const { pollMs: periodMs, leaseMs, graceMs, size, workMs, imagesMs } = { ...LIMITS, ...given }

  /** @returns how many decisions it finished */
  async function writeBatch(
    source: Source,
    run: { lease: Lease; stopping: AbortSignal; signal: AbortSignal },
  ): Promise<number> {
    const batch = await findDecisions(deps, { source, size })
    await deps.failpoint('writer:batch')
    const externalIds: string[] = []
    const versions: EventVersion[] = []
    try {
      for await (const { record, rev } of applyBatch(deps, { source, batch, workMs, imagesMs, ...run })) {
        externalIds.push(record.externalId)
        versions.push({ rev, documentId: record._id.toHexString() })
      }
    } finally {
      if (externalIds.length > 0) deps.emit.conflicts.applied({ source, externalIds }, { versions })
    }
    return externalIds.length
  }

  function createSourceJob(source: Source): Job {
    return createJob(deps, {
      name: `conflicts/${source}`,
      periodMs,
      leaseMs,
      graceMs,
      isDue: async () => (await findDecisions(deps, { source, size: 1 })).length > 0,
      async run({ lease, stopping, signal }) {
        let decisions = 0
        for (let written = 1; written > 0 && lease.isHeld() && !stopping.aborted; decisions += written) {
          written = await writeBatch(source, { lease, stopping, signal })
        }
        return decisions === 0 ? null : { decisions }
      },
    })
  }

  const jobs = new Map(Source.options.map((source) => [source, createSourceJob(source)]))
  return {
    start() {
      for (const job of jobs.values()) job.start()
    },
    wake: (source) => jobs.get(source)?.wake(),
    async stop() {
      await Promise.all([...jobs.values()].map((job) => job.stop()))
    },
  }
}
