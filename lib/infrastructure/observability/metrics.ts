import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, Summary } from 'prom-client'
import { withTimeout } from '../concurrency/with-timeout.ts'

const MS = 1_000
/** A scrape omits a gauge whose reading takes longer. */
const READ_TIMEOUT_MS = 1_000

async function readTotals<T extends string>(summary: Summary<T>) {
  const { name, values } = await summary.get()
  const counts = values.filter(({ metricName }) => metricName === `${name}_count`)
  const percentiles = values.filter(({ metricName }) => metricName === undefined)
  // The library lists both in the same order.
  return counts
    .map(({ labels, value: count }, index) => ({ labels, count, p95Ms: (percentiles[index]?.value ?? 0) * MS }))
    .filter(({ count }) => count > 0)
}

/** Measures the requests since the last sample of the operations view. A scrape does not include them. */
function createRequestWindow() {
  const options = { help: 'Durations since the last sample', percentiles: [0.95], registers: [] }
  const all = new Summary({ ...options, name: 'requests' })
  const byRoute = new Summary({ ...options, name: 'requests_by_route', labelNames: ['method', 'route'] })
  const failures = new Counter({ name: 'failures', help: 'Answers by class', labelNames: ['class'], registers: [] })

  return {
    observe({ method, route, status }: { method: string; route: string; status: number }, seconds: number): void {
      all.observe(seconds)
      byRoute.observe({ method, route }, seconds)
      if (status >= 400) failures.inc({ class: status >= 500 ? 'failed' : 'refused' })
    },
    async take() {
      const [[total], routes, { values }] = await Promise.all([readTotals(all), readTotals(byRoute), failures.get()])
      for (const metric of [all, byRoute, failures]) metric.reset()
      const countOf = (name: string) => values.find(({ labels }) => labels.class === name)?.value ?? 0
      return { total, routes, refused: countOf('refused'), failed: countOf('failed') }
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>

type GaugeValue = number | Readonly<Record<string, number>>

interface GaugeOptions {
  name: string
  help: string
  label?: string
  /** The value while the gauge cannot be read. */
  otherwise?: GaugeValue
}

let ofProcess: Registry | undefined

/** Collects the metrics of Node once in a process, because their observers of the event loop never stop. */
function collectOfProcess(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const all = [collectOfProcess(), registry]
  const count = <L extends string>(what: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `gamehall_${what}_total`, help, labelNames, registers })

  return {
    /** Adds a gauge that is read anew for each scrape, with one value or one for each of its labels. */
    addGauge({ name, help, label, otherwise = {} }: GaugeOptions, read: () => Promise<GaugeValue>): void {
      new Gauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers,
        async collect() {
          const value = await withTimeout(READ_TIMEOUT_MS, read()).catch(() => otherwise)
          if (label === undefined) this.remove()
          else this.reset()
          if (typeof value === 'number') this.set(value)
          else for (const [key, each] of Object.entries(value)) this.set({ [label ?? '']: key }, each)
        },
      })
    },
    requests: createRequestWindow(),
    httpDuration: new Histogram({
      name: 'gamehall_http_request_duration_seconds',
      help: 'Duration of HTTP requests by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    sockets: new Gauge({
      name: 'gamehall_sockets',
      help: 'Open sockets by namespace',
      labelNames: ['namespace'],
      registers,
    }),
    eventsSent: count(
      'events_sent',
      'Events announced, one per change whatever the number of receivers; the origin is own or another instance',
      ['event', 'origin'],
    ),
    handshakesRefused: count('handshakes_refused', 'Connections and sockets that were not admitted, by reason', [
      'reason',
    ]),
    socketsDisconnected: count('sockets_disconnected', 'Connections of sockets that this service ended, by reason', [
      'reason',
    ]),
    feedRestarts: count('feed_restarts', 'Times the change stream had to be opened again', []),
    approvals: count('approvals', 'Approvals of content requests by how they ended', ['result']),
    render: (): Promise<string> => Registry.merge(all).metrics(),
    contentType: registry.contentType,
  }
}
