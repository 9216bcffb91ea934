import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Operations, OperationsSample } from '../../contract/measurements.ts'
import type { Metrics } from './metrics.ts'

const SAMPLE_MS = 5_000
const HISTORY_MS = 10 * 60_000
const NANOSECONDS = 1_000_000

type Latest = OperationsSample & Pick<Operations, 'heapUsedBytes' | 'routes' | 'events'>

export type OperationsSampler = ReturnType<typeof createOperationsSampler>

interface Totals {
  at: number
  events: ReadonlyMap<string, number>
}

async function readTotals({ eventsSent }: Metrics, at: number): Promise<Totals> {
  const { values } = await eventsSent.get()
  const events = new Map<string, number>()
  // The counter has one value for each pair of event and origin.
  for (const { labels, value } of values)
    events.set(String(labels.event), (events.get(String(labels.event)) ?? 0) + value)
  return { at, events }
}

type Requests = Awaited<ReturnType<Metrics['requests']['take']>>

function measure(requests: Requests, now: Totals, before: Totals, loop: IntervalHistogram): Latest {
  const seconds = Math.max(0.001, (now.at - before.at) / 1_000)
  const { total, routes, refused, failed } = requests
  const events = [...now.events].map(([event, count]) => ({
    event,
    perSecond: (count - (before.events.get(event) ?? 0)) / seconds,
  }))
  const { rss, heapUsed } = process.memoryUsage()
  return {
    at: new Date(now.at).toISOString(),
    requestsPerSecond: (total?.count ?? 0) / seconds,
    refusalsPerSecond: refused / seconds,
    errorsPerSecond: failed / seconds,
    p95Ms: total?.p95Ms ?? null,
    eventsPerSecond: events.reduce((sum, { perSecond }) => sum + perSecond, 0),
    // There is no percentile before the first tick.
    eventLoopDelayMs: Number.isFinite(loop.percentile(99)) ? loop.percentile(99) / NANOSECONDS : 0,
    memoryBytes: rss,
    heapUsedBytes: heapUsed,
    routes: routes
      .map(({ labels: { method, route }, count, p95Ms }) => ({
        method: String(method),
        route: String(route),
        requestsPerSecond: count / seconds,
        p95Ms,
      }))
      .sort((a, b) => b.requestsPerSecond - a.requestsPerSecond),
    events,
  }
}

/** Turns the metrics into rates, one sample every 5 s. */
export function createOperationsSampler({ metrics, clock }: { metrics: Metrics; clock: () => Date }) {
  const loop = monitorEventLoopDelay()
  const history: OperationsSample[] = []
  let latest: Latest | undefined
  let before: Totals = { at: clock().getTime(), events: new Map() }
  let timer: NodeJS.Timeout | undefined

  async function sample(): Promise<void> {
    const now = await readTotals(metrics, clock().getTime())
    latest = measure(await metrics.requests.take(), now, before, loop)
    before = now
    loop.reset()
    const { heapUsedBytes: _heap, routes: _routes, events: _events, ...kept } = latest
    history.push(kept)
    if (history.length > HISTORY_MS / SAMPLE_MS) history.shift()
  }

  return {
    /** Measures now, and every 5 s from now on, without keeping the process alive. */
    async start(): Promise<void> {
      if (timer !== undefined) return
      loop.enable()
      timer = setInterval(() => void sample(), SAMPLE_MS)
      timer.unref()
      await sample()
    },
    stop(): void {
      clearInterval(timer)
      loop.disable()
    },
    sample,
    latest: () => latest,
    history: (): readonly OperationsSample[] => history,
  }
}
