/**
 * What the feed reads. All times are of `performance.now()`.
 * - `others`: the database leaves out the changes of this instance.
 * - `with-local`: the feed reads local changes too, all of them since `since`, and goes back to `others` after `until`.
 * - `lost`: a write that began at `since` had no answer, and its change is not read yet. Caches refuse.
 */
export type FeedPosition =
  | { name: 'others' }
  | { name: 'with-local'; since: number; until: number }
  | { name: 'lost'; since: number; until: number }

/** A cursor on the change stream. It delivers every change of a write that began after `since`. */
export interface FeedReading {
  includesLocal: boolean
  since: number
}

export type FeedAnswer =
  | { name: 'batch'; at: number; reading: FeedReading; isFirst: boolean; isCaughtUp: boolean }
  /** The database did not answer a local write that began at `begunAt`. */
  | { name: 'no-answer'; at: number; begunAt: number }
  /** The cursor without local changes does not know the resume token, which may be that of a local change. */
  | { name: 'unknown-token'; at: number }
  /** The database no longer has the changes after the resume token. Clients read again. */
  | { name: 'history-lost' }

export function moveFeed(position: FeedPosition, answer: FeedAnswer, localReadMs: number): FeedPosition {
  switch (answer.name) {
    case 'no-answer': {
      const until = answer.at + localReadMs
      const isCovered = position.name !== 'others' && position.since <= answer.begunAt
      return isCovered ? { ...position, until } : { name: 'lost', since: answer.begunAt, until }
    }
    case 'unknown-token': {
      const until = answer.at + localReadMs
      if (position.name !== 'others') return { ...position, until }
      // No local change is read before the first batch.
      return { name: 'with-local', since: Number.POSITIVE_INFINITY, until }
    }
    case 'history-lost':
      // Clients read what the earlier writes stored.
      if (position.name === 'lost') return { ...position, name: 'with-local', since: Number.NEGATIVE_INFINITY }
      return position
    case 'batch':
      return afterBatch(position, answer, localReadMs)
  }
}

function afterBatch(
  position: FeedPosition,
  { at, reading, isFirst, isCaughtUp }: FeedAnswer & { name: 'batch' },
  localReadMs: number,
): FeedPosition {
  if (position.name === 'others' || !reading.includesLocal) return position
  // A database that was restarted may deliver empty batches before the changes from before its end.
  const until = isFirst ? at + localReadMs : position.until
  if (position.name === 'lost') {
    const isFound = isCaughtUp && reading.since <= position.since
    return isFound ? { name: 'with-local', since: reading.since, until } : { ...position, until }
  }
  if (at > until) return { name: 'others' }
  return { name: 'with-local', since: isCaughtUp ? Math.min(position.since, reading.since) : position.since, until }
}

/** True when the reading delivers what the position needs, and no more. Otherwise the feed opens another one. */
export function serves({ includesLocal, since }: FeedReading, position: FeedPosition): boolean {
  if (position.name === 'others') return !includesLocal
  return includesLocal && (position.name === 'with-local' || since <= position.since)
}

const KEPT_MS = 60_000
/** Points closer than this replace one another, because a busy second has thousands of batches. */
const APART_MS = 100

/** A token of the stream. Every write that began after `at`, a time of `performance.now()`, comes after it. */
interface ResumePoint {
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
