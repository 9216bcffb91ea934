import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  httpDuration: Histogram<'method' | 'route' | 'status'>
  sockets: Gauge<'namespace'>
  eventsSent: Counter<'event'>
  /** The Prometheus text format. */
  render(): Promise<string>
  contentType: string
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  return {
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
      help: 'Events announced, one per change whatever the number of receivers',
      labelNames: ['event'],
      registers: [registry],
    }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
