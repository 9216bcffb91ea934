import { setTimeout as sleep } from 'node:timers/promises'
import {
  FEED_LAG_MAX_MS,
  FEED_LIVE_MS,
  FEED_OPEN_TIMEOUT_MS,
  FEED_RETRIES,
  OWN_CHANGES_READ_MS,
} from '../concurrency/timeouts.ts'
import type { FeedConnection } from '../db/connect.ts'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { type Change, feedPipeline, parseChange } from './change.ts'
import { createExactCache, type ExactCache } from './exact-cache.ts'
import { HistoryLost, readChanges } from './read-changes.ts'
import { createResumeTokens } from './resume-tokens.ts'

export interface FeedListener {
  /**
   * Called for the changes of each answer of the stream, in the order of the writes. When it fails since the database is
   * away, the same changes come again.
   */
  onChanges(changes: readonly Change[]): Promise<void>
  /** Called when clients have missed changes for good, and have to read again. */
  onChangesMissed(): void
}

/** The writes of all other instances and programs, and the own ones whose answers were lost. */
export type Feed = ReturnType<typeof createFeed>

interface FeedOptions {
  /** How long own changes are read after a lost answer. */
  ownReadMs?: number
  instance: string
  log: Logger
  metrics: Metrics
  connect: () => FeedConnection
}

/** Where a reading of the change stream begins. */
interface Start {
  isWithOwn: boolean
  token: unknown
  /** A time of `performance.now()`: all changes of writes since then are read. */
  since: number
}

const REASON_MAX = 300
/** Another program may store what cannot be followed again and again. */
const RECONNECTS_APART_MS = 10_000

/** Makes the reader of the database's change stream. It goes on by itself after elections, outages and lost connections. */
export function createFeed({ instance, log, metrics, connect, ownReadMs = OWN_CHANGES_READ_MS }: FeedOptions) {
  const caches = new Set<{ clear(): void }>()
  const tokens = createResumeTokens()
  const closing = new AbortController()
  /** Caches are as new as the database until this time of `performance.now()`, unless another answer comes. */
  let currentUntil = Number.NEGATIVE_INFINITY
  /** Whether changes went by that this instance's clients have not heard of and never will. */
  let hasMissed = false
  let reader: Promise<void> | undefined
  let connection: FeedConnection | undefined
  /** The earliest begin of a write whose answer was lost, until all changes since then are read again. */
  let lostSince: number | undefined
  /** Own changes are read up to here. */
  let ownReadUntil = Number.NEGATIVE_INFINITY
  /** Since when own changes have been read without a gap. */
  let ownReadSince = Number.POSITIVE_INFINITY

  const isCurrent = () => performance.now() < currentUntil

  const readOwnForAWhile = () => {
    ownReadUntil = performance.now() + ownReadMs
  }

  function clearCaches(): void {
    for (const cache of caches) cache.clear()
  }

  function missChanges(): void {
    hasMissed = true
    clearCaches()
  }

  function loseHistory(reason: unknown): void {
    tokens.clear()
    lostSince = undefined
    missChanges()
    // The database's word on a change that is too large quotes it.
    log.warn(
      { reason: String(reason).slice(0, REASON_MAX) },
      'changes were missed: caches are emptied, and clients have to read again',
    )
  }

  function parseAll(events: readonly Record<string, unknown>[]): Change[] {
    return events.flatMap((event) => {
      try {
        const change = parseChange(event)
        if (change.at) metrics.feedLag.observe(Math.max(0, Date.now() - change.at.getTime()) / 1_000)
        return [change]
      } catch (error) {
        // A change that could not be understood may concern anything.
        missChanges()
        log.error({ err: error }, 'a change could not be read')
        return []
      }
    })
  }

  /** Chooses where to go on, and whether own changes are read: they are after a lost answer, from before its write. */
  function chooseStart(): Start {
    const start = lostSince === undefined ? tokens.newest() : tokens.before(lostSince)
    // By the time of the last answer: an outage takes nothing off what is to be read.
    const isWithOwn = lostSince !== undefined || (start?.at ?? performance.now()) <= ownReadUntil
    if (lostSince !== undefined && start === undefined) {
      loseHistory('an answer was lost longer ago than changes are kept')
    }
    if (!isWithOwn) ownReadSince = Number.POSITIVE_INFINITY
    return { isWithOwn, token: start?.token, since: start?.at ?? performance.now() }
  }

  /** Whether a reading begins too late or without own changes for a lost answer, or reads own ones for nothing by now. */
  function isToBeLeft({ isWithOwn, since }: Start, answeredAt: number): boolean {
    if (lostSince === undefined) return isWithOwn && answeredAt > ownReadUntil
    return !isWithOwn || lostSince < Math.min(since, ownReadSince)
  }

  /** Reads until it is to be read elsewhere. */
  async function follow(start: Start, opened: FeedConnection, listener: FeedListener, onAnswer: () => void) {
    const { isWithOwn, token: from, since } = start
    const pipeline = feedPipeline(instance, { isWithOwn })
    let isFirst = true
    for await (const { changes, token, isCaughtUp } of readChanges(opened, { pipeline, token: from })) {
      const at = performance.now()
      if (!isCurrent()) clearCaches()
      const changesOldAt = isCaughtUp ? at + FEED_LAG_MAX_MS : Number.NEGATIVE_INFINITY
      // Caches do not know these changes yet, and the database may have more of them.
      currentUntil = Math.min(currentUntil, changesOldAt)
      await listener.onChanges(parseAll(changes))
      // Not before they are told: what fails is read again.
      if (token !== undefined) tokens.add({ token, at })
      // A database that has just come back may give empty answers before it gives the changes from before its end.
      if (isWithOwn && isFirst) readOwnForAWhile()
      isFirst = false
      if (isWithOwn && isCaughtUp) {
        ownReadSince = Math.min(ownReadSince, since)
        if (lostSince !== undefined && lostSince >= ownReadSince) lostSince = undefined
      }
      currentUntil = performance.now() < changesOldAt ? at + FEED_LIVE_MS : Number.NEGATIVE_INFINITY
      onAnswer()
      if (isToBeLeft(start, at)) return
    }
  }

  async function run(opened: FeedConnection, listener: FeedListener, onFirst: () => void): Promise<void> {
    let retryMs = FEED_RETRIES.firstMs
    let isDown = false
    let isFirst = true
    let reconnectableAt = Number.NEGATIVE_INFINITY
    const onAnswer = () => {
      if (isDown) log.info('change stream resumed')
      isDown = false
      isFirst = false
      retryMs = FEED_RETRIES.firstMs
      // Not before changes arrive again: a client that came back earlier would miss what happened in between.
      if (hasMissed && performance.now() >= reconnectableAt) {
        reconnectableAt = performance.now() + RECONNECTS_APART_MS
        hasMissed = false
        listener.onChangesMissed()
      }
      onFirst()
    }
    while (!closing.signal.aborted) {
      const start = chooseStart()
      const error = await follow(start, opened, listener, onAnswer).catch((thrown: unknown) => thrown)
      if (error === undefined) continue
      if (error instanceof HistoryLost && !start.isWithOwn) {
        // The token of an own change is unknown to a reading without own changes.
        readOwnForAWhile()
        continue
      }
      currentUntil = Number.NEGATIVE_INFINITY
      if (closing.signal.aborted) return
      clearCaches()
      metrics.feedRestarts.inc()
      if (error instanceof HistoryLost) loseHistory(error.cause ?? error)
      else if (!isDown) log.warn({ err: error }, isFirst ? 'change stream not opened' : 'change stream interrupted')
      isDown = true
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined)
      retryMs = Math.min(2 * retryMs, FEED_RETRIES.longestMs)
    }
  }

  /**
   * Whether caches are exact: the last answer is younger than 3 s, it held every change that there was, those that are
   * followed now are younger than a second, and no own lost answer is still to be read.
   */
  const isLive = () => isCurrent() && lostSince === undefined

  return {
    isLive,
    /** Starts to read; resolves with the first answer, and after a while anyway. Sockets are accepted afterwards. */
    async open(listener: FeedListener): Promise<void> {
      const opened = connect()
      connection = opened
      const first = new Promise<true>((resolve) => {
        reader = run(opened, listener, () => resolve(true))
      })
      const opening = new AbortController()
      const isOpen = await Promise.race([
        first,
        sleep(FEED_OPEN_TIMEOUT_MS, false, { signal: opening.signal }).catch(() => false),
      ])
      opening.abort()
      // Sockets are accepted all the same, and hear of nothing by other instances until then.
      hasMissed = !isOpen
      if (hasMissed) log.warn('change stream not opened yet')
    },
    async close(): Promise<void> {
      closing.abort()
      await connection?.close()
      await reader
    },
    /**
     * Notes that the database did not say what became of the writes of a request that began at this time of
     * `performance.now()`: changes are read again from before it, own ones included.
     */
    answerLost(begunAt: number): void {
      readOwnForAWhile()
      if (begunAt < ownReadSince) lostSince = Math.min(lostSince ?? begunAt, begunAt)
    },
    /** Makes a cache that is used while the feed is live, and emptied after each gap. */
    createCache<V extends object>(options: { maxBytes: number; sizeOf: (value: V) => number }): ExactCache<V> {
      const cache = createExactCache({ ...options, isLive })
      caches.add(cache)
      return cache
    },
    /** Empties all of them. */
    clearCaches,
    /** Empties them, and makes clients read again, because of changes that could not be followed. */
    missChanges,
  }
}
