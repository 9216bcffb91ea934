import { setTimeout as sleep } from 'node:timers/promises'
import { FEED_LIVE_MS, FEED_OPEN_TIMEOUT_MS, FEED_RETRIES } from '../concurrency/timeouts.ts'
import type { FeedConnection } from '../db/connect.ts'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { type Change, feedPipeline, parseChange } from './change.ts'
import { createExactCache, type ExactCache } from './exact-cache.ts'
import { createLostAnswers, type LostAnswers } from './lost-answers.ts'
import { HistoryLost, readChanges } from './read-changes.ts'

export interface FeedListener {
  /** Called for each change that another process made, in the order of the writes. */
  onChange(change: Change): void
  /** Called when changes may have been missed for good. */
  onHistoryLost(): void
}

/** The writes of all other instances, as this one hears of them. */
export interface Feed {
  /** Whether changes arrive: the last answer is younger than 3 s, and no answer to an own write is missing. */
  isLive(): boolean
  /** Starts to read; resolves with the first answer, and after a while anyway. Sockets are accepted afterwards. */
  open(listener: FeedListener): Promise<void>
  close(): Promise<void>
  /** Makes a cache that is used while the feed is live, and emptied after each gap. */
  createCache<V extends object>(options: { maxBytes: number; sizeOf: (value: V) => number }): ExactCache<V>
  /** Empties all of them. */
  clearCaches(): void
  lostAnswers: LostAnswers
}

interface FeedOptions {
  instance: string
  log: Logger
  metrics: Metrics
  connect: () => FeedConnection
  wasReachableSince: (time: number) => boolean
}

const REASON_MAX = 300

/** Makes the reader of the database's change stream. It goes on by itself after elections, outages and lost connections. */
export function createFeed({ instance, log, metrics, connect, wasReachableSince }: FeedOptions): Feed {
  const caches = new Set<{ clear(): void }>()
  const lostAnswers = createLostAnswers({ log, onSettled: clearCaches, wasReachableSince })
  const pipeline = feedPipeline(instance, { isWithOwn: false })
  const closing = new AbortController()
  let token: unknown
  let answeredAt = Number.NEGATIVE_INFINITY
  /** Whether changes went by that this instance's clients have not heard of and never will. */
  let hasMissed = false
  let reader: Promise<void> | undefined
  let connection: FeedConnection | undefined

  const isAnswered = () => performance.now() - answeredAt < FEED_LIVE_MS

  function clearCaches(): void {
    for (const cache of caches) cache.clear()
  }

  function take(listener: FeedListener, changes: readonly Record<string, unknown>[]): void {
    for (const event of changes) {
      try {
        const change = parseChange(event)
        if (change.at) metrics.feedLag.observe(Math.max(0, Date.now() - change.at.getTime()) / 1_000)
        listener.onChange(change)
      } catch (error) {
        // A change that could not be understood may concern anything.
        clearCaches()
        log.error({ err: error }, 'a change could not be followed')
      }
    }
  }

  async function follow(opened: FeedConnection, listener: FeedListener, onAnswer: () => void): Promise<never> {
    for await (const answer of readChanges(opened, { pipeline, token })) {
      if (!isAnswered()) clearCaches()
      take(listener, answer.changes)
      token = answer.token ?? token
      answeredAt = performance.now()
      onAnswer()
    }
    throw new Error('the changes never end by themselves')
  }

  function loseHistory(reason: unknown): void {
    token = undefined
    hasMissed = true
    // The database's word on a change that is too large quotes it.
    log.warn(
      { reason: String(reason).slice(0, REASON_MAX) },
      'changes were missed: caches are emptied, and clients have to read again',
    )
  }

  async function run(opened: FeedConnection, listener: FeedListener, onFirst: () => void): Promise<void> {
    let retryMs = FEED_RETRIES.firstMs
    let isDown = false
    let isFirst = true
    const onAnswer = () => {
      if (isDown) log.info('the feed goes on')
      isDown = false
      isFirst = false
      retryMs = FEED_RETRIES.firstMs
      // Not before changes arrive again: a client that came back earlier would miss what happened in between.
      if (hasMissed) listener.onHistoryLost()
      hasMissed = false
      onFirst()
    }
    while (!closing.signal.aborted) {
      const error = await follow(opened, listener, onAnswer).catch((thrown: unknown) => thrown)
      answeredAt = Number.NEGATIVE_INFINITY
      if (closing.signal.aborted) return
      clearCaches()
      metrics.feedRestarts.inc()
      if (error instanceof HistoryLost) loseHistory(error.cause ?? error)
      else if (!isDown) log.warn({ err: error }, isFirst ? 'the feed cannot be opened' : 'the feed was interrupted')
      isDown = true
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined)
      retryMs = Math.min(2 * retryMs, FEED_RETRIES.longestMs)
    }
  }

  const isLive = () => isAnswered() && lostAnswers.isEmpty()

  return {
    isLive,
    async open(listener) {
      const opened = connect()
      connection = opened
      const first = new Promise<void>((resolve) => {
        reader = run(opened, listener, resolve)
      })
      const opening = new AbortController()
      await Promise.race([
        first,
        sleep(FEED_OPEN_TIMEOUT_MS, undefined, { signal: opening.signal }).catch(() => undefined),
      ])
      opening.abort()
      // Sockets are accepted all the same, and hear of nothing by other instances until then.
      hasMissed = !isAnswered()
      if (hasMissed) log.warn('the feed could not be opened yet')
    },
    async close() {
      closing.abort()
      lostAnswers.close()
      await connection?.close()
      await reader
    },
    createCache(options) {
      const cache = createExactCache({ ...options, isLive })
      caches.add(cache)
      return cache
    },
    clearCaches,
    lostAnswers,
  }
}
