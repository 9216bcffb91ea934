import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Operations, OperationsSample } from '../../contract/measurements.ts'
import type { Metrics } from './metrics.ts'

const SAMPLE_MS = 5_000
const HISTORY_MS = 10 * 60_000
const NANOSECONDS = 1_000_000

/** A sample with what is not kept in the history. */
type Latest = OperationsSample & Pick<Operations, 'heapUsedBytes' | 'routes' | 'events'>

export interface OperationsSampler {
  /** Measures now, and every 5 s from now on, without keeping the process alive. */
  start(): Promise<void>
  stop(): void
  sample(): Promise<void>
  latest(): Latest | undefined
  history(): readonly OperationsSample[]
}

/** Requests of one route and status class since the start, cumulative by upper bound in seconds. */
interface RouteTotals {
  method: string
  route: string
  count: number
  refused: number
  failed: number
  buckets: Map<number, number>
}

interface Totals {
  at: number
  routes: Map<string, RouteTotals>
  events: Map<string, number>
}

async function readTotals({ httpDuration, eventsSent }: Metrics, at: number): Promise<Totals> {
  const routes = new Map<string, RouteTotals>()
  for (const { labels, value, metricName } of (await httpDuration.get()).values) {
    const { method = '', route = '', status = '' } = labels
    const key = `${method} ${route}`
    const totals = routes.get(key) ?? {
      method: String(method),
      route: String(route),
      count: 0,
      refused: 0,
      failed: 0,
      buckets: new Map<number, number>(),
    }
    routes.set(key, totals)
    if (metricName?.endsWith('_count')) {
      totals.count += value
      if (Number(status) >= 500) totals.failed += value
      else if (Number(status) >= 400) totals.refused += value
    } else if (metricName?.endsWith('_bucket')) {
      // The types leave out the label that the histogram adds.
      const le = 'le' in labels ? labels.le : undefined
      const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)
      totals.buckets.set(bound, (totals.buckets.get(bound) ?? 0) + value)
    }
  }
  const events = new Map((await eventsSent.get()).values.map(({ labels, value }) => [String(labels.event), value]))
  return { at, routes, events }
}

function subtract(now: RouteTotals, before: RouteTotals | undefined): RouteTotals {
  if (before === undefined) return now
  return {
    ...now,
    count: now.count - before.count,
    refused: now.refused - before.refused,
    failed: now.failed - before.failed,
    buckets: new Map([...now.buckets].map(([bound, count]) => [bound, count - (before.buckets.get(bound) ?? 0)])),
  }
}

/** The 95th percentile in milliseconds, between the bounds of its bucket; null without a request. */
function estimateP95(buckets: ReadonlyMap<number, number>): number | null {
  const sorted = [...buckets].sort(([a], [b]) => a - b)
  const rank = 0.95 * (sorted.at(-1)?.[1] ?? 0)
  if (rank === 0) return null
  let [low, below] = [0, 0]
  for (const [bound, count] of sorted) {
    if (count >= rank) {
      if (!Number.isFinite(bound)) return low * 1_000
      return (low + ((bound - low) * (rank - below)) / (count - below)) * 1_000
    }
    ;[low, below] = [bound, count]
  }
  return low * 1_000
}

function addUp(routes: readonly RouteTotals[]): Map<number, number> {
  const sum = new Map<number, number>()
  for (const { buckets } of routes) {
    for (const [bound, count] of buckets) sum.set(bound, (sum.get(bound) ?? 0) + count)
  }
  return sum
}

function measure(now: Totals, before: Totals, loop: IntervalHistogram): Latest {
  const seconds = Math.max(0.001, (now.at - before.at) / 1_000)
  const changes = [...now.routes].map(([key, totals]) => subtract(totals, before.routes.get(key)))
  const busy = changes.filter(({ count }) => count > 0)
  const rate = (pick: (change: RouteTotals) => number) => busy.reduce((sum, change) => sum + pick(change), 0) / seconds
  const events = [...now.events].map(([event, count]) => ({
    event,
    perSecond: (count - (before.events.get(event) ?? 0)) / seconds,
  }))
  const { rss, heapUsed } = process.memoryUsage()
  return {
    at: new Date(now.at).toISOString(),
    requestsPerSecond: rate(({ count }) => count),
    refusalsPerSecond: rate(({ refused }) => refused),
    errorsPerSecond: rate(({ failed }) => failed),
    p95Ms: estimateP95(addUp(busy)),
    eventsPerSecond: events.reduce((sum, { perSecond }) => sum + perSecond, 0),
    // Without a tick in between it has no percentile yet.
    eventLoopDelayMs: Number.isFinite(loop.percentile(99)) ? loop.percentile(99) / NANOSECONDS : 0,
    memoryBytes: rss,
    heapUsedBytes: heapUsed,
    routes: busy
      .map(({ method, route, count, buckets }) => ({
        method,
        route,
        requestsPerSecond: count / seconds,
        p95Ms: estimateP95(buckets) ?? 0,
      }))
      .sort((a, b) => b.requestsPerSecond - a.requestsPerSecond),
    events,
  }
}

/** Turns the counters of the metrics into rates, one sample every 5 s. */
export function createOperationsSampler({
  metrics,
  clock,
}: {
  metrics: Metrics
  clock: () => Date
}): OperationsSampler {
  const loop = monitorEventLoopDelay()
  const history: OperationsSample[] = []
  let latest: Latest | undefined
  let before: Totals | undefined
  let timer: NodeJS.Timeout | undefined

  async function sample(): Promise<void> {
    const now = await readTotals(metrics, clock().getTime())
    latest = measure(now, before ?? now, loop)
    before = now
    loop.reset()
    const { heapUsedBytes: _heap, routes: _routes, events: _events, ...kept } = latest
    history.push(kept)
    if (history.length > HISTORY_MS / SAMPLE_MS) history.shift()
  }

  return {
    async start() {
      if (timer !== undefined) return
      loop.enable()
      timer = setInterval(() => void sample(), SAMPLE_MS)
      timer.unref()
      await sample()
    },
    stop() {
      clearInterval(timer)
      loop.disable()
    },
    sample,
    latest: () => latest,
    history: () => history,
  }
}
