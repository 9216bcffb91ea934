import { setTimeout as sleep } from 'node:timers/promises'
import { FEED_LAG_MAX_MS, FEED_LIVE_MS, FEED_OPEN_TIMEOUT_MS, LOCAL_CHANGES_READ_MS } from '../concurrency/timeouts.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import type { FeedConnection } from '../db/connect.ts'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { type Change, feedPipeline, parseChange } from './change.ts'
import { createExactCache, type ExactCache } from './exact-cache.ts'
import {
  createResumeTokens,
  type FeedAnswer,
  type FeedPosition,
  type FeedReading,
  moveFeed,
  serves,
} from './feed-position.ts'
import { HistoryLost, readChanges } from './read-changes.ts'

export interface FeedListener {
  /** Called with each batch, in the order of the writes, and again when it fails because the database is unreachable. */
  onChanges(changes: readonly Change[]): Promise<void>
  /** Called when clients missed changes for good, and have to read again. */
  onChangesMissed(): void
}

export type Feed = ReturnType<typeof createFeed>

interface FeedOptions {
  localReadMs?: number
  instance: string
  log: Logger
  metrics: Metrics
  connect: () => FeedConnection
}

type OpenedReading = FeedReading & { token: unknown }

const RETRIES = { firstMs: 50, longestMs: 1_000 }
/** A time before every other one. */
const LONG_AGO = Number.NEGATIVE_INFINITY
const REASON_MAX = 300
/** The least time between two reconnections of all clients: another program may store unreadable changes again and again. */
const RECONNECTS_APART_MS = 10_000

/** Creates the reader of the database's change stream. It recovers from elections, outages and lost connections. */
export function createFeed({ instance, log, metrics, connect, localReadMs = LOCAL_CHANGES_READ_MS }: FeedOptions) {
  const caches = new Set<{ clear(): void }>()
  const tokens = createResumeTokens()
  const closing = new AbortController()
  let position: FeedPosition = { name: 'others' }
  /** Caches are as recent as the database until this time of `performance.now()`. Each batch moves it. */
  let currentUntil = LONG_AGO
  let completeAt = performance.now()
  let hasMissed = false
  let reader: Promise<void> | undefined
  let connection: FeedConnection | undefined

  const isCurrent = () => performance.now() < currentUntil

  const move = (answer: FeedAnswer) => {
    position = moveFeed(position, answer, localReadMs)
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
    move({ name: 'history-lost' })
    missChanges()
    // The reason is cut, because the database quotes a change that is too large.
    log.warn(
      { reason: String(reason).slice(0, REASON_MAX) },
      'changes were missed: caches are emptied, and clients have to read again',
    )
  }

  function parseAll(events: readonly Record<string, unknown>[]): Change[] {
    return events.flatMap((event) => {
      try {
        return [parseChange(event)]
      } catch (error) {
        // A change that cannot be parsed may concern any document.
        missChanges()
        log.error({ err: error }, 'a change could not be read')
        return []
      }
    })
  }

  function chooseReading(): OpenedReading {
    const start = position.name === 'lost' ? tokens.before(position.since) : tokens.newest()
    if (position.name === 'lost' && start === undefined) {
      loseHistory('a write without an answer is older than the kept changes')
    }
    const includesLocal = position.name !== 'others'
    return { includesLocal, token: start?.token, since: start?.at ?? performance.now() }
  }

  /** Delivers changes until the position needs another reading. */
  async function follow(reading: OpenedReading, opened: FeedConnection, listener: FeedListener, onBatch: () => void) {
    const pipeline = feedPipeline(instance, reading)
    let isFirst = true
    for await (const batch of readChanges(opened, { pipeline, token: reading.token })) {
      const at = performance.now()
      if (!isCurrent()) clearCaches()
      const changesOldAt = batch.isCaughtUp ? at + FEED_LAG_MAX_MS : LONG_AGO
      // Caches do not reflect these changes yet, and the database may have more of them.
      currentUntil = Math.min(currentUntil, changesOldAt)
      await listener.onChanges(parseAll(batch.changes))
      // The token is kept after the delivery, so that changes whose delivery failed are read again.
      if (batch.token !== undefined) tokens.add({ token: batch.token, at })
      move({ name: 'batch', at, reading, isFirst, isCaughtUp: batch.isCaughtUp })
      isFirst = false
      if (batch.isCaughtUp) completeAt = batch.completeAt
      currentUntil = performance.now() < changesOldAt ? batch.completeAt + FEED_LIVE_MS : LONG_AGO
      onBatch()
      if (!serves(reading, position)) return
    }
  }

  async function run(opened: FeedConnection, listener: FeedListener, onOpen: () => void): Promise<void> {
    let retryMs = RETRIES.firstMs
    let isDown = false
    let hasOpened = false
    let reconnectableAt = LONG_AGO
    const onBatch = () => {
      if (isDown) log.info('change stream resumed')
      isDown = false
      hasOpened = true
      retryMs = RETRIES.firstMs
      // Clients read again only once changes arrive: whoever read earlier would miss the changes in between.
      if (hasMissed && performance.now() >= reconnectableAt) {
        reconnectableAt = performance.now() + RECONNECTS_APART_MS
        hasMissed = false
        listener.onChangesMissed()
      }
      onOpen()
    }
    while (!closing.signal.aborted) {
      const reading = chooseReading()
      const error = await follow(reading, opened, listener, onBatch).catch((thrown: unknown) => thrown)
      if (error === undefined) continue
      if (error instanceof HistoryLost && !reading.includesLocal) {
        move({ name: 'unknown-token', at: performance.now() })
        continue
      }
      currentUntil = LONG_AGO
      if (closing.signal.aborted) return
      clearCaches()
      metrics.feedRestarts.inc()
      if (error instanceof HistoryLost) loseHistory(error.cause ?? error)
      else if (!isDown) log.warn({ err: error }, hasOpened ? 'change stream interrupted' : 'change stream not opened')
      isDown = true
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined)
      retryMs = Math.min(2 * retryMs, RETRIES.longestMs)
    }
  }

  /** True when caches are exact: the last batch is recent and complete, and every local write without an answer was read. */
  const isLive = () => isCurrent() && position.name !== 'lost'

  return {
    isLive,
    /** The age of the last complete batch, in milliseconds: at most about a second while the feed is live. */
    lagMs: () => performance.now() - completeAt,
    /** Starts to read. Resolves with the first batch, or after a timeout. The service accepts sockets afterwards. */
    async open(listener: FeedListener): Promise<void> {
      const opened = connect()
      connection = opened
      const first = new Promise<void>((resolve) => {
        reader = run(opened, listener, resolve)
      })
      await withTimeout(FEED_OPEN_TIMEOUT_MS, first).catch(() => {
        // Sockets that connect before the first batch miss the changes of other instances.
        hasMissed = true
        log.warn('change stream not opened yet')
      })
    },
    async close(): Promise<void> {
      closing.abort()
      await connection?.client.close(true)
      await reader
    },
    /** Reads changes again from before this time, at which a request began whose write the database did not answer. */
    answerLost(begunAt: number): void {
      move({ name: 'no-answer', at: performance.now(), begunAt })
    },
    /** Creates a cache that answers while the feed is live, and is emptied after each interruption. */
    createCache<V extends object>(options: { maxBytes: number; sizeOf: (value: V) => number }): ExactCache<V> {
      const cache = createExactCache({ ...options, isLive })
      caches.add(cache)
      return cache
    },
    clearCaches,
    /** Empties all caches and makes clients read again, because of changes that could not be followed. */
    missChanges,
  }
}
