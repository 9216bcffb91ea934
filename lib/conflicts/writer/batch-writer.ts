import { randomUUID } from 'node:crypto'
import { linkAbort } from '../../concurrency/link-abort.ts'
import { MAX_TIME_MS, WRITER_TIMEOUTS } from '../../concurrency/timeouts.ts'
import { Source } from '../../contract/sources.ts'
import { acquireLease, type Lease } from '../../db/lease.ts'
import { announceApplied } from './announce-applied.ts'
import { applyBatch } from './apply-batch.ts'
import { claimBatch, isAnythingQueued } from './claim-batch.ts'
import type { WriterDeps } from './deps.ts'

export interface BatchWriter {
  /** Begins to look for decisions, now and at intervals. */
  start(): void
  /** Tells that a decision of this source was stored. */
  wake(source: Source): void
  /** Finishes the decisions under way, gives the leases back and ends. */
  stop(): Promise<void>
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

/** Records of a batch that an outage interrupted, which may have been written without the writer's knowing. */
interface Uncertain {
  externalIds: readonly string[]
  fencingToken: number
}

/** Finds which uncertain decisions are written and unclaimed by others. */
async function findWritten(
  { db }: WriterDeps,
  source: Source,
  { externalIds, fencingToken }: Uncertain,
): Promise<string[]> {
  const found = await db.conflicts
    .find(
      {
        source,
        externalId: { $in: [...externalIds] },
        fencingToken,
        $nor: [{ status: 'pending', decision: { $ne: null } }],
      },
      { projection: { externalId: 1 }, maxTimeMS: MAX_TIME_MS },
    )
    .toArray()
  return found.map(({ externalId }) => externalId)
}

/**
 * Makes the background writer that applies what admins decided: one loop per source, each working only while it holds
 * the source's lease, so that all instances together have one writer per source.
 */
export function createBatchWriter(deps: WriterDeps, given: Partial<BatchLimits> = {}): BatchWriter {
  const limits = { ...LIMITS, ...given }
  const holder = randomUUID()
  const woken = new Set<Source>()
  const wakers = new Map<Source, () => void>()
  /** Begins nothing more once it is aborted. */
  const stopping = new AbortController()
  /** Ends calls and downloads that are under way. */
  const ending = new AbortController()
  const uncertain = new Map<Source, Uncertain>()
  /** Announcements that the database does not take yet hold up no batch; a stop waits for them. */
  const announcing = new Set<Promise<void>>()
  let loops: Promise<void>[] = []

  function announce(source: Source, externalIds: string[]): void {
    if (externalIds.length === 0) return
    deps.log.info({ source, decisions: externalIds.length }, 'a batch of decisions was written')
    const announced = announceApplied(deps, { event: { source, externalIds }, stop: ending.signal }).finally(() => {
      announcing.delete(announced)
    })
    announcing.add(announced)
  }

  /** @returns whether it finished any decision */
  async function writeBatch(source: Source, lease: Lease, signal: AbortSignal): Promise<boolean> {
    const { fencingToken } = lease
    const { size, workMs, imagesMs } = limits
    const batch = await claimBatch(deps, { source, fencingToken, size })
    const finished: string[] = []
    const inDoubt: string[] = []
    try {
      const outcomes = applyBatch(deps, {
        source,
        batch,
        lease,
        workMs,
        imagesMs,
        stopping: stopping.signal,
        signal,
      })
      for await (const { externalId, outcome } of outcomes) {
        if (outcome === 'written' || outcome === 'sent-back') finished.push(externalId)
        if (outcome === 'uncertain') inDoubt.push(externalId)
      }
    } finally {
      if (inDoubt.length > 0) uncertain.set(source, { externalIds: inDoubt, fencingToken })
      announce(source, finished)
    }
    return finished.length > 0
  }

  /** Applies what is queued, if no other instance does. */
  async function drain(source: Source): Promise<void> {
    const left = uncertain.get(source)
    if (left !== undefined) announce(source, await findWritten(deps, source, left))
    uncertain.delete(source)
    if (!(await isAnythingQueued(deps, { source }))) return
    const lease = await acquireLease(deps.db.leases, { id: `conflicts/${source}`, holder, lastsMs: limits.leaseMs })
    if (lease === null) return

    const work = new AbortController()
    const unlink = [lease.lost, ending.signal].map((signal) => linkAbort(work, signal))
    try {
      while (lease.isHeld() && !stopping.signal.aborted && (await writeBatch(source, lease, work.signal)));
    } finally {
      for (const end of unlink) end()
      await lease.release()
    }
  }

  /** Resolves when the source is woken, at once when it was since the last look, and after a while anyway. */
  const nextLook = (source: Source) =>
    new Promise<void>((resolve) => {
      const look = () => {
        clearTimeout(timer)
        wakers.delete(source)
        resolve()
      }
      const timer = setTimeout(look, limits.pollMs)
      wakers.set(source, look)
      if (woken.has(source) || stopping.signal.aborted) look()
    })

  async function loop(source: Source): Promise<void> {
    let isInterrupted = false
    while (!stopping.signal.aborted) {
      woken.delete(source)
      try {
        await drain(source)
        isInterrupted = false
      } catch (error) {
        // An outage is logged once, not every few seconds.
        deps.log[isInterrupted ? 'debug' : 'warn']({ err: error, source }, 'a batch of decisions was interrupted')
        isInterrupted = true
      }
      await nextLook(source)
    }
  }

  return {
    start() {
      if (loops.length === 0 && !stopping.signal.aborted) loops = Source.options.map(loop)
    },
    wake(source) {
      woken.add(source)
      wakers.get(source)?.()
    },
    async stop() {
      stopping.abort()
      for (const look of wakers.values()) look()
      const grace = setTimeout(() => ending.abort(new Error('the service is stopping')), limits.graceMs)
      await Promise.all(loops)
      await Promise.all(announcing)
      clearTimeout(grace)
    },
  }
}
