import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { METRICS_COUNT_TIMEOUT_MS } from '../concurrency/timeouts.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { createRequestWindow } from './request-window.ts'

export type Metrics = ReturnType<typeof createMetrics>

interface MetricsOptions {
  /** Counts what is queued by source, anew for each scrape. */
  countQueued?: () => Promise<Readonly<Record<string, number>>>
}

export function createMetrics({ countQueued = async () => ({}) }: MetricsOptions = {}) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'gamehall_conflicts_queued',
    help: 'Decisions of conflicts that wait for the background writer, by source; absent while they cannot be counted',
    labelNames: ['source'],
    registers: [registry],
    async collect() {
      const counts = await withTimeout(METRICS_COUNT_TIMEOUT_MS, countQueued()).catch(() => ({}))
      this.reset()
      for (const [source, count] of Object.entries(counts)) this.set({ source }, count)
    },
  })

  return {
    /** For the operations view. */
    requests: createRequestWindow(),
    httpDuration: new Histogram({
      name: 'gamehall_http_request_duration_seconds',
      help: 'Duration of HTTP requests by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    sockets: new Gauge({
      name: 'gamehall_sockets',
      help: 'Open sockets by namespace',
      labelNames: ['namespace'],
      registers: [registry],
    }),
    eventsSent: new Counter({
      name: 'gamehall_events_sent_total',
      help: 'Events announced, one per change whatever the number of receivers; the origin is own or another instance',
      labelNames: ['event', 'origin'],
      registers: [registry],
    }),
    feedLag: new Histogram({
      name: 'gamehall_feed_lag_seconds',
      help: 'Time from a change by another process to its arrival here',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
      registers: [registry],
    }),
    feedRestarts: new Counter({
      name: 'gamehall_feed_restarts_total',
      help: 'Times the change stream had to be opened again',
      registers: [registry],
    }),
    approvals: new Counter({
      name: 'gamehall_approvals_total',
      help: 'Approvals of content requests by how they ended',
      labelNames: ['result'],
      registers: [registry],
    }),
    /** The Prometheus text format. */
    render: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
  }
}
