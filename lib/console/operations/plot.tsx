import { formatClock, formatNumber } from '../format.ts'

interface PlotProps {
  title: string
  /** The present value: `3.2 a second`. */
  value: string
  /** Unix milliseconds, ascending. */
  times: readonly number[]
  /** One line each; null where there was nothing to measure. */
  lines: readonly (readonly (number | null)[])[]
  /** Names the lines; empty where there is one. */
  legend: readonly string[]
}

/** The upper end of the scale: the highest value, rounded up to one digit. */
function findScale(lines: PlotProps['lines']): number {
  const highest = Math.max(1, ...lines.flat().map(Number))
  const digit = 10 ** Math.floor(Math.log10(highest))
  return digit * Math.ceil(highest / digit)
}

/** A line in a square of 100 by 100; it breaks off where a value is missing. */
function toPath(line: PlotProps['lines'][number], times: readonly number[], scale: number): string {
  const [first = 0] = times
  const width = (times.at(-1) ?? first) - first || 1
  let isDrawing = false
  return line
    .map((value, index) => {
      if (value !== null) {
        const x = (100 * ((times[index] ?? first) - first)) / width
        const command = isDrawing ? 'L' : 'M'
        isDrawing = true
        return `${command}${x.toFixed(2)} ${(100 - (100 * value) / scale).toFixed(2)}`
      }
      isDrawing = false
      return ''
    })
    .join('')
}

/** A plot over time. It is an image whose name says the present value. */
export function Plot({ title, value, times, lines, legend }: PlotProps) {
  const scale = findScale(lines)
  return (
    <figure class="panel plot">
      <figcaption class="row muted">
        {title} <strong>{value}</strong>
        <span class="row legend">
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
