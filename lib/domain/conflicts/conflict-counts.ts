import { Source } from '../../contract/sources.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Stage } from './states.ts'

export type ConflictCounts = ReturnType<typeof createConflictCounts>

interface Count {
  source: Source
  counted: Promise<number>
  /** The time by `performance.now()` when the count expires; infinite while the count runs. */
  freshUntil: number
  /** True while no conflict has changed since the count began. */
  isExact: boolean
  /** The conflicts that entered the stage since it began, less those that left it. */
  difference: number
}

const toKey = (stage: Stage, source: Source) => `${source} ${stage.name}`
const readCount = async (count: Count) => Math.max(0, (await count.counted) + count.difference)

/** Counts conflicts by stage and source from the index alone. All requests within an interval share a count. */
export function createConflictCounts(db: Pick<Database, 'conflicts'>, { intervalMs }: { intervalMs: number }) {
  const counts = new Map<string, Count>()

  function begin(stage: Stage, source: Source): Count {
    const filter = { source, ...stage.filter }
    const counted = db.conflicts.countDocuments(filter, { hint: stage.index })
    const begunAt = performance.now()
    const count = { source, counted, freshUntil: Number.POSITIVE_INFINITY, isExact: true, difference: 0 }
    counts.set(toKey(stage, source), count)
    counted.then(
      () => {
        count.freshUntil = begunAt + intervalMs
      },
      () => {
        if (counts.get(toKey(stage, source)) === count) counts.delete(toKey(stage, source))
      },
    )
    return count
  }

  function findFresh(stage: Stage, source: Source): Count | undefined {
    const last = counts.get(toKey(stage, source))
    return last && performance.now() < last.freshUntil ? last : undefined
  }

  return {
    /** Answers the last count, unless a conflict has changed since. */
    exact(stage: Stage, source: Source): Promise<number> {
      const fresh = findFresh(stage, source)
      return readCount(fresh?.isExact ? fresh : begin(stage, source))
    },
    /** Answers the last count, adjusted by the moves since. */
    recent: (stage: Stage, source: Source) => readCount(findFresh(stage, source) ?? begin(stage, source)),
    /** Adjusts the counts for a conflict that this instance moved from one stage to another. */
    moved(source: Source, from: Stage, to: Stage): void {
      for (const count of counts.values()) if (count.source === source) count.isExact = false
      const [left, entered] = [counts.get(toKey(from, source)), counts.get(toKey(to, source))]
      if (left) left.difference -= 1
      if (entered) entered.difference += 1
    },
    expire(): void {
      for (const count of counts.values()) count.isExact = false
    },
  }
}

export async function countBySource(count: ConflictCounts['exact'], stage: Stage): Promise<Record<Source, number>> {
  const counts = await Promise.all(Source.options.map(async (source) => [source, await count(stage, source)] as const))
  // There is a count for each source.
  return Object.fromEntries(counts) as Record<Source, number>
}
