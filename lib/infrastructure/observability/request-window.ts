import { Counter, Summary } from 'prom-client'

const MS = 1_000

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
export function createRequestWindow() {
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
    /** Reads the window and begins the next one. */
    async take() {
      const [[total], routes, { values }] = await Promise.all([readTotals(all), readTotals(byRoute), failures.get()])
      for (const metric of [all, byRoute, failures]) metric.reset()
      const countOf = (name: string) => values.find(({ labels }) => labels.class === name)?.value ?? 0
      return { total, routes, refused: countOf('refused'), failed: countOf('failed') }
    },
  }
}
