import { Source } from '../../contract/sources.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { Stage } from './states.ts'

export type ConflictCounts = ReturnType<typeof createConflictCounts>

interface Count {
  source: Source
  counted: Promise<number>
  /** The time by `performance.now()` when the count expires; infinite while the count runs. */
  freshUntil: number
  /** The conflicts that entered the stage since the count, less those that left it. */
  difference: number
}

const toKey = (stage: Stage, source: Source) => `${source} ${stage.name}`

/** Counts conflicts by stage and source from the index alone. All requests within an interval share a count. */
export function createConflictCounts(db: Pick<Database, 'conflicts'>, { intervalMs }: { intervalMs: number }) {
  const counts = new Map<string, Count>()

  function begin(stage: Stage, source: Source): Count {
    const key = toKey(stage, source)
    const begunAt = performance.now()
    const counted = db.conflicts.countDocuments({ source, ...stage.filter }, { hint: stage.index })
    const count = { source, counted, freshUntil: Number.POSITIVE_INFINITY, difference: 0 }
    counts.set(key, count)
    counted.then(
      () => {
        count.freshUntil = begunAt + intervalMs
      },
      () => {
        if (counts.get(key) === count) counts.delete(key)
      },
    )
    return count
  }

  return {
    async count(stage: Stage, source: Source): Promise<number> {
      const last = counts.get(toKey(stage, source))
      const count = last && performance.now() < last.freshUntil ? last : begin(stage, source)
      return Math.max(0, (await count.counted) + count.difference)
    },
    moved(source: Source, from: Stage, to: Stage): void {
      const moves = new Map([
        [toKey(from, source), -1],
        [toKey(to, source), 1],
      ])
      for (const [key, count] of counts) {
        const move = moves.get(key)
        if (count.source !== source) continue
        // A count that is under way may have seen the move or not.
        if (move === undefined || count.freshUntil === Number.POSITIVE_INFINITY) counts.delete(key)
        else count.difference += move
      }
    },
    expire: () => counts.clear(),
  }
}

export async function countBySource({ count }: Pick<ConflictCounts, 'count'>, stage: Stage) {
  const counts = await Promise.all(Source.options.map(async (source) => [source, await count(stage, source)] as const))
  // There is a count for each source.
  return Object.fromEntries(counts) as Record<Source, number>
}
