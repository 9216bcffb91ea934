import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '../concurrency/semaphore.ts'
import type { Database } from '../db/connect.ts'

/** The lease that lasts while any instance serves people. */
const MARK = 'people-served'
const MARKED_FOR_MS = 2_000
/** The requests that renew the mark. An admin who only watches a walk makes fewer, and does not slow the walk down. */
const MARKED_BY = { requests: 3, withinMs: 1_000 }
const CHECK_EVERY_MS = 500
/** The rest after a piece of work while people are served: a multiple of the time that the piece took, within a bound. */
const REST = { factor: 24, longestMs: 1_000 }

/** Runs background work piece by piece, and lets people go first. */
export interface Pace {
  /** Runs one piece of work at a time, after a rest. Rejects with the signal's reason when it aborts first. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

export interface ServicePace extends Pace {
  /** Counts a request of a person that this process serves. */
  markServed(): void
}

/** The pace of work that is a part of a larger piece: no rest. */
export const UNPACED: Pace = { run: (_, work) => work() }

/** Background work rests in proportion to its last piece while any instance at the database serves people. */
export function createPace({ leases }: Pick<Database, 'leases'>, { factor, longestMs } = REST): ServicePace {
  const turns = createSemaphore(1)
  let [checkedAt, restUntil] = [Number.NEGATIVE_INFINITY, 0]
  let [served, countedFrom] = [0, Number.NEGATIVE_INFINITY]
  let arePeopleServed = false

  async function rest(signal: AbortSignal): Promise<void> {
    if (performance.now() >= restUntil) return
    if (performance.now() - checkedAt > CHECK_EVERY_MS) {
      checkedAt = performance.now()
      const isFresh = { _id: MARK, $expr: { $gt: ['$until', '$$NOW'] } }
      arePeopleServed = (await leases.findOne(isFresh, { projection: { _id: 1 } })) !== null
    }
    if (arePeopleServed) await sleep(restUntil - performance.now(), undefined, { signal }).catch(() => undefined)
    signal.throwIfAborted()
  }

  return {
    run: (signal, work) =>
      turns.run(signal, async () => {
        await rest(signal)
        const startedAt = performance.now()
        try {
          return await work()
        } finally {
          const endedAt = performance.now()
          restUntil = endedAt + Math.min(factor * (endedAt - startedAt), longestMs)
        }
      }),
    markServed() {
      if (performance.now() - countedFrom > MARKED_BY.withinMs) {
        countedFrom = performance.now()
        served = 0
      }
      served += 1
      if (served !== MARKED_BY.requests) return
      const until = { $add: ['$$NOW', MARKED_FOR_MS] }
      // A later request makes a lost mark again.
      leases.updateOne({ _id: MARK }, [{ $set: { until } }], { upsert: true }).catch(() => undefined)
    },
  }
}
