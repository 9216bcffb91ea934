const KEPT_MS = 60_000
/** Answers come by the thousand in a busy second. */
const APART_MS = 100

/** A point in the history of changes: no write that began after `at`, a time of `performance.now()`, lies before it. */
export interface ResumePoint {
  token: unknown
  at: number
}

/** The points that a reading of the change stream has reached: the newest one, and those of the last minute. */
export function createResumeTokens() {
  const points: ResumePoint[] = []
  return {
    add(point: ResumePoint): void {
      const [previous, last] = points.slice(-2)
      if (previous && last && last.at - previous.at < APART_MS) points.pop()
      points.push(point)
      while (points[1] !== undefined && points[1].at < point.at - KEPT_MS) points.shift()
    },
    newest: () => points.at(-1),
    /** The last one before a write that began at this time; undefined when that is too long ago. */
    before: (begunAt: number) => points.findLast(({ at }) => at <= begunAt),
    clear: () => {
      points.length = 0
    },
  }
}
