import type { Operations, OperationsSample } from '../../contract/measurements.ts'
import { formatClock, formatNumber, MB } from '../format.ts'

interface PlotDefinition {
  title: string
  measures: readonly Exclude<keyof OperationsSample, 'at'>[]
  unit: string
  /** The number of measured units that make one shown unit. */
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

type Line = readonly (number | null)[]

/** Answers the upper end of the scale: the highest value, rounded up to its first digit. */
function findScale(lines: readonly Line[]): number {
  const highest = Math.max(1, ...lines.flat().map(Number))
  const magnitude = 10 ** Math.floor(Math.log10(highest))
  return magnitude * Math.ceil(highest / magnitude)
}

/** Draws a line in a square of 100 by 100, with a gap for each missing value. */
function toPath(line: Line, times: readonly number[], scale: number): string {
  const [first = 0] = times
  const width = (times.at(-1) ?? first) - first || 1
  const points = line.map((value, index) => {
    if (value === null) return ''
    const x = (100 * ((times[index] ?? first) - first)) / width
    const command = typeof line[index - 1] === 'number' ? 'L' : 'M'
    return `${command}${x.toFixed(2)} ${(100 - (100 * value) / scale).toFixed(2)}`
  })
  return points.join('')
}

function Plot({ plot, samples }: { plot: PlotDefinition; samples: readonly OperationsSample[] }) {
  const { title, measures, unit, divisor = 1, legend = [] } = plot
  const lines = measures.map((measure) =>
    samples.map((sample) => (sample[measure] === null ? null : sample[measure] / divisor)),
  )
  const times = samples.map((sample) => Date.parse(sample.at))
  const scale = findScale(lines)
  const value = describeValues(
    lines.map((line) => line.at(-1)),
    unit,
  )
  return (
    <figure class="panel plot">
      <figcaption class="row muted">
        {title} <strong>{value}</strong>
        <span class="row end legend">
          {legend.map((name, index) => (
            <span key={name} data-line={index + 1}>
              {name}
            </span>
          ))}
        </span>
      </figcaption>
      <div class="plot-frame muted" role="img" aria-label={`${title}: ${value}`}>
        <span>{formatNumber(scale)}</span>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {lines.map((line, index) => (
            <path key={index} data-line={index + 1} d={toPath(line, times, scale)} />
          ))}
        </svg>
        <span>0</span>
        <span class="row spread">
          {[times[0], times.at(-1)].map((time, index) => (
            <span key={index}>{time !== undefined && formatClock(time)}</span>
          ))}
        </span>
      </div>
    </figure>
  )
}

export function Plots({ snapshot }: { snapshot: Operations }) {
  const { at, history } = snapshot
  const samples = history.at(-1)?.at === at ? history : [...history, snapshot]

  return (
    <div class="grid plots">
      {PLOTS.map((plot) => (
        <Plot key={plot.title} plot={plot} samples={samples} />
      ))}
    </div>
  )
}
