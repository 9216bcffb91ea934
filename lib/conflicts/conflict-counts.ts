import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { Source } from '../contract/sources.ts'
import type { Database } from '../db/connect.ts'
import type { Stage } from './states.ts'

/** Counts by stage and source: each at most once in an interval for all who ask, from the index alone. */
export interface ConflictCounts {
  /** As it is now: counted after the call, unless nothing is known to have changed since the last count. Waits its turn. */
  exact(stage: Stage, source: Source): Promise<number>
  /** The last count with the moves noted since: it does not wait for its turn. */
  recent(stage: Stage, source: Source): Promise<number>
  /** Notes that this instance has moved a conflict from one stage to another. */
  moved(source: Source, from: Stage, to: Stage): void
  /** Notes that something has changed. */
  expire(): void
}

/** A count, with the moves that were noted since it began. */
interface Count {
  begunAt: number
  version: number
  value: number
}

export function createConflictCounts(
  db: Pick<Database, 'conflicts'>,
  { intervalMs }: { intervalMs: number },
): ConflictCounts {
  const known = new Map<string, Count>()
  /** Counts being read; their `value` holds only the moves noted since. */
  const running = new Map<string, Count & { counted: Promise<number> }>()
  /** Counts that wait for the interval to end. */
  const waiting = new Map<string, Promise<number>>()
  let version = 0

  const toKey = (stage: Stage, source: Source) => `${source} ${stage.name}`
  const isYoung = (count: Count | undefined): count is Count =>
    count !== undefined && performance.now() - count.begunAt < intervalMs

  async function countNow(stage: Stage, source: Source): Promise<number> {
    const key = toKey(stage, source)
    const filter = { source, ...stage.filter }
    const counted = db.conflicts.countDocuments(filter, { hint: stage.index, maxTimeMS: MAX_TIME_MS })
    const count = { begunAt: performance.now(), version, value: 0, counted }
    running.set(key, count)
    try {
      const value = await counted
      known.set(key, { ...count, value: value + count.value })
      return value
    } finally {
      if (running.get(key) === count) running.delete(key)
    }
  }

  async function countInTurn(stage: Stage, source: Source): Promise<number> {
    const key = toKey(stage, source)
    const last = running.get(key) ?? known.get(key)
    const nextAt = (last?.begunAt ?? Number.NEGATIVE_INFINITY) + intervalMs
    await sleep(Math.max(0, nextAt - performance.now()))
    waiting.delete(key)
    return await countNow(stage, source)
  }

  function move(key: string, by: number): void {
    for (const count of [known.get(key), running.get(key)]) if (count !== undefined) count.value += by
  }

  return {
    async exact(stage, source) {
      const key = toKey(stage, source)
      const last = known.get(key)
      if (isYoung(last) && last.version === version) return last.value
      const shared = waiting.get(key) ?? countInTurn(stage, source)
      waiting.set(key, shared)
      return await shared
    },
    async recent(stage, source) {
      const key = toKey(stage, source)
      if (!isYoung(known.get(key))) await (running.get(key)?.counted ?? countNow(stage, source))
      return Math.max(0, known.get(key)?.value ?? 0)
    },
    moved(source, from, to) {
      version += 1
      move(toKey(from, source), -1)
      move(toKey(to, source), 1)
    },
    expire() {
      version += 1
    },
  }
}
