import { useMemo } from 'preact/hooks'
import type { Operations, OperationsSample } from '../../contract/measurements.ts'
import { formatNumber } from '../format.ts'
import { Plot } from './plot.tsx'
import { MB, toMb, toMs, toRate } from './units.ts'

interface PlotOf {
  title: string
  describe(sample: OperationsSample): string
  lines: readonly ((sample: OperationsSample) => number | null)[]
  legend?: readonly string[]
}

const PLOTS: readonly PlotOf[] = [
  {
    title: 'Requests',
    describe: ({ requestsPerSecond }) => toRate(requestsPerSecond),
    lines: [({ requestsPerSecond }) => requestsPerSecond],
  },
  { title: '95 of 100 within', describe: ({ p95Ms }) => toMs(p95Ms), lines: [({ p95Ms }) => p95Ms] },
  {
    title: 'Events',
    describe: ({ eventsPerSecond }) => toRate(eventsPerSecond),
    lines: [({ eventsPerSecond }) => eventsPerSecond],
  },
  {
    title: 'Refusals and errors',
    describe: ({ refusalsPerSecond, errorsPerSecond }) =>
      `${formatNumber(refusalsPerSecond)} and ${formatNumber(errorsPerSecond)} a second`,
    lines: [({ refusalsPerSecond }) => refusalsPerSecond, ({ errorsPerSecond }) => errorsPerSecond],
    legend: ['refusals', 'errors'],
  },
  {
    title: 'Event-loop delay',
    describe: ({ eventLoopDelayMs }) => toMs(eventLoopDelayMs),
    lines: [({ eventLoopDelayMs }) => eventLoopDelayMs],
  },
  {
    title: 'Memory',
    describe: ({ memoryBytes }) => toMb(memoryBytes),
    lines: [({ memoryBytes }) => memoryBytes / MB],
  },
]

/** The last ten minutes up to the snapshot. */
export function Plots({ snapshot }: { snapshot: Operations }) {
  const { at, history } = snapshot
  const samples = useMemo(() => (history.at(-1)?.at === at ? history : [...history, snapshot]), [snapshot])
  const times = useMemo(() => samples.map((sample) => Date.parse(sample.at) / 1_000), [samples])

  return (
    <div class="grid plots">
      {PLOTS.map(({ describe, lines, ...plot }) => (
        <Plot
          key={plot.title}
          {...plot}
          value={describe(snapshot)}
          times={times}
          lines={lines.map((read) => samples.map(read))}
        />
      ))}
    </div>
  )
}
