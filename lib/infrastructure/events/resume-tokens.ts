const KEPT_MS = 60_000
/** A busy second has thousands of batches. */
const APART_MS = 100

/** A point in the history of changes. Every write that began after `at`, a time of `performance.now()`, lies behind it. */
export interface ResumePoint {
  token: unknown
  at: number
}

/** Keeps the resume points of the last minute, and the newest one. */
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
    /** Finds the last point before a write that began at this time; undefined when the write is too old. */
    before: (begunAt: number) => points.findLast(({ at }) => at <= begunAt),
    clear: () => {
      points.length = 0
    },
  }
}
