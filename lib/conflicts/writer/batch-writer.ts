import { randomUUID } from 'node:crypto'
import { linkAbort } from '../../concurrency/link-abort.ts'
import { Source } from '../../contract/sources.ts'
import { acquireLease, type Lease } from '../../db/lease.ts'
import { applyBatch } from './apply-batch.ts'
import { claimBatch } from './claim-batch.ts'
import type { ClaimedDecision } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'
import { findWritten } from './find-written.ts'
import { isAnythingQueued } from './is-anything-queued.ts'

export interface BatchWriter {
  /** Begins to look for decisions, now and ever again. */
  start(): void
  /** Tells that a decision of this source was stored. */
  wake(source: Source): void
  /** Finishes the decision in hand, gives the leases back and ends. */
  stop(): Promise<void>
}

export interface BatchLimits {
  /** How often it looks for decisions that it was not told of. */
  pollMs: number
  leaseMs: number
  /** Decisions of one batch. */
  size: number
  /** How long a batch may read, and then write what it read last. */
  workMs: number
  /** What all downloads of one decision share. */
  imagesMs: number
  /** How long a decision in hand may take once the writer is told to stop. */
  graceMs: number
}

/** With the lease's 15 s, another instance goes on within 20 s of a crash. */
const LIMITS: BatchLimits = {
  pollMs: 3_000,
  leaseMs: 15_000,
  size: 100,
  workMs: 10_000,
  imagesMs: 30_000,
  graceMs: 5_000,
}

interface Work {
  source: Source
  /** Records that an outage interrupted, which may have been written without the writer's knowing. */
  inDoubt: ClaimedDecision[]
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
  /** End the source calls and downloads that are under way. */
  const endings = new Set<AbortController>()
  let isStopping = false
  let loops: Promise<void>[] = []

  function announce(source: Source, externalIds: string[]): void {
    if (externalIds.length === 0) return
    deps.log.info({ source, decisions: externalIds.length }, 'a batch of decisions was written')
    deps.emit.conflicts.applied({ source, externalIds })
  }

  async function writeBatches({ source, inDoubt }: Work, lease: Lease, signal: AbortSignal): Promise<void> {
    const { fence } = lease
    const mayGoOn = () => lease.isHeld() && !isStopping
    while (mayGoOn()) {
      const batch = await claimBatch(deps, { source, fence, size: limits.size })
      const externalIds: string[] = []
      const onWritten = (externalId: string) => externalIds.push(externalId)
      const onDoubt = (record: ClaimedDecision) => inDoubt.push(record)
      try {
        await applyBatch(deps, {
          ...{ source, batch, fence, workMs: limits.workMs, imagesMs: limits.imagesMs },
          ...{ mayGoOn, signal, onWritten, onDoubt },
        })
      } finally {
        announce(source, externalIds)
      }
      if (externalIds.length === 0) return
    }
  }

  async function drain(work: Work): Promise<void> {
    const { source, inDoubt } = work
    if (inDoubt.length > 0) announce(source, await findWritten(deps, inDoubt))
    inDoubt.length = 0
    if (!(await isAnythingQueued(deps, { source }))) return
    const lease = await acquireLease(deps.db.leases, { id: `conflicts/${source}`, holder, lastsMs: limits.leaseMs })
    if (lease === null) return

    const ending = new AbortController()
    const unfollow = linkAbort(ending, lease.lost)
    endings.add(ending)
    try {
      await writeBatches(work, lease, ending.signal)
    } finally {
      unfollow()
      endings.delete(ending)
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
      if (woken.has(source) || isStopping) look()
    })

  async function loop(source: Source): Promise<void> {
    const work: Work = { source, inDoubt: [] }
    let isInterrupted = false
    while (!isStopping) {
      woken.delete(source)
      try {
        await drain(work)
        isInterrupted = false
      } catch (error) {
        // An outage is told of once, not every few seconds.
        deps.log[isInterrupted ? 'debug' : 'warn']({ err: error, source }, 'a batch of decisions was interrupted')
        isInterrupted = true
      }
      await nextLook(source)
    }
  }

  return {
    start() {
      if (loops.length === 0 && !isStopping) loops = Source.options.map(loop)
    },
    wake(source) {
      woken.add(source)
      wakers.get(source)?.()
    },
    async stop() {
      isStopping = true
      for (const look of wakers.values()) look()
      const grace = setTimeout(() => {
        for (const ending of endings) ending.abort(new Error('the service is stopping'))
      }, limits.graceMs)
      await Promise.all(loops)
      clearTimeout(grace)
    },
  }
}
