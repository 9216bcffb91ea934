import { Source } from '#lib/contract/sources'
import { WRITER_TIMEOUTS } from '#lib/infrastructure/concurrency/timeouts'
import type { Lease } from '#lib/infrastructure/db/lease'
import type { VersionedEntry } from '#lib/infrastructure/events/emitter'
import { createJob, createJobs, type Job } from '#lib/infrastructure/jobs/create-job'
import type { ConflictsDeps } from '../deps.ts'
import { applyBatch } from './apply-batch.ts'
import { findDecisions } from './find-decisions.ts'

export interface BatchWriter extends Pick<Job, 'start' | 'stop'> {
  /** Starts the job of a source, or runs it again, because a decision was stored. */
  wake(source: Source): void
}

/** The times of `WRITER_TIMEOUTS`, and how many decisions a batch holds. */
export type BatchLimits = Record<keyof typeof WRITER_TIMEOUTS | 'size', number>

const BATCH_SIZE = 100

export function createBatchWriter(deps: ConflictsDeps, overrides: Partial<BatchLimits> = {}): BatchWriter {
  const limits: BatchLimits = { ...WRITER_TIMEOUTS, size: BATCH_SIZE, ...overrides }
  const { size, workMs, imagesMs } = limits

  /** @returns how many decisions it finished */
  async function writeBatch(source: Source, run: { lease: Lease; stopping: AbortSignal; signal: AbortSignal }) {
    const batch = await findDecisions(deps, { source, size })
    await deps.failpoint('writer:batch')
    const entries: VersionedEntry[] = []
    try {
      for await (const { record, rev } of applyBatch(deps, { source, batch, workMs, imagesMs, ...run })) {
        entries.push({ externalId: record.externalId, documentId: record._id.toHexString(), rev })
      }
    } finally {
      if (entries.length > 0) deps.emit.conflicts.applied(source, entries)
    }
    return entries.length
  }

  function createSourceJob(source: Source): Job {
    return createJob(deps, {
      ...limits,
      name: `conflicts/${source}`,
      isDue: async () => (await findDecisions(deps, { source, size: 1 })).length > 0,
      async run({ lease, stopping, signal }) {
        let decisions = 0
        while (lease.isHeld() && !stopping.aborted) {
          const written = await writeBatch(source, { lease, stopping, signal })
          if (written === 0) break
          decisions += written
        }
        return decisions === 0 ? null : { decisions }
      },
    })
  }

  return createJobs(Source.options, createSourceJob)
}
