import type { Operations, OperationsSample } from '../../contract/measurements.ts'
import { formatNumber } from '../format.ts'
import { Plot } from './plot.tsx'
import { MB } from './units.ts'

interface PlotDefinition {
  title: string
  measures: readonly Exclude<keyof OperationsSample, 'at'>[]
  unit: string
  /** How many of what is measured make one of the unit. */
  divisor?: number
  legend?: readonly string[]
}

const PLOTS: readonly PlotDefinition[] = [
  { title: 'Requests', measures: ['requestsPerSecond'], unit: 'a second' },
  { title: '95 of 100 within', measures: ['p95Ms'], unit: 'ms' },
  { title: 'Events', measures: ['eventsPerSecond'], unit: 'a second' },
  {
    title: 'Refusals and errors',
    measures: ['refusalsPerSecond', 'errorsPerSecond'],
    unit: 'a second',
    legend: ['refusals', 'errors'],
  },
  { title: 'Event-loop delay', measures: ['eventLoopDelayMs'], unit: 'ms' },
  { title: 'Memory', measures: ['memoryBytes'], unit: 'MB', divisor: MB },
]

const describeValues = (values: readonly (number | null | undefined)[], unit: string) =>
  values.some((value) => typeof value !== 'number')
    ? 'none'
    : `${values.map(Number).map(formatNumber).join(' and ')} ${unit}`

/** Plots of the last ten minutes up to the snapshot. */
export function Plots({ snapshot }: { snapshot: Operations }) {
  const { at, history } = snapshot
  const samples = history.at(-1)?.at === at ? history : [...history, snapshot]
  const times = samples.map((sample) => Date.parse(sample.at))

  return (
    <div class="grid plots">
      {PLOTS.map(({ title, measures, unit, divisor = 1, legend = [] }) => {
        const lines = measures.map((measure) =>
          samples.map((sample) => (sample[measure] === null ? null : sample[measure] / divisor)),
        )
        const value = describeValues(
          lines.map((line) => line.at(-1)),
          unit,
        )
        return <Plot key={title} title={title} value={value} times={times} lines={lines} legend={legend} />
      })}
    </div>
  )
}
