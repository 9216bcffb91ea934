import { useEffect, useRef } from 'preact/hooks'
import './readable-language.ts'
import uPlot from 'uplot'
import { formatClock } from '../format.ts'

interface PlotProps {
  title: string
  /** The present value: `3.2 a second`. */
  value: string
  /** Unix seconds. */
  times: readonly number[]
  /** One line each; null where there was nothing to measure. The colours are those of `--plot-1` and on. */
  lines: readonly (readonly (number | null)[])[]
  /** Names the lines where there are several. */
  legend?: readonly string[]
}

const HEIGHT = 130
/** Seconds between two moments below a plot. */
const MINUTES = [60, 120, 300]

/** A canvas knows no variables, so an element is asked what they come to. */
function readColours(host: HTMLElement) {
  const { color, borderTopColor } = getComputedStyle(host)
  const strokes = [...host.querySelectorAll('[data-line]')].map((line) => getComputedStyle(line).color)
  return { text: color, grid: borderTopColor, strokes }
}

function draw(host: HTMLElement, { times, lines }: PlotProps): uPlot {
  const { text, grid, strokes } = readColours(host)
  const axis = {
    stroke: text,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
    font: '12px sans-serif',
  }
  return new uPlot(
    {
      width: host.clientWidth,
      height: HEIGHT,
      cursor: { show: false },
      legend: { show: false },
      scales: { y: { range: (_, __, max) => [0, Math.max(max * 1.15, 1)] } },
      axes: [
        {
          ...axis,
          space: 70,
          size: 28,
          values: (_, seconds) => seconds.map((each) => formatClock(each * 1_000)),
          incrs: MINUTES,
        },
        { ...axis, size: 56, space: 30 },
      ],
      series: [{}, ...lines.map((_, index) => ({ stroke: strokes[index] ?? text, width: 2, points: { show: false } }))],
    },
    [[...times], ...lines.map((line) => [...line])],
    host,
  )
}

/** A plot of the last minutes. It is an image whose name says the present value. */
export function Plot(props: PlotProps) {
  const { title, value, times, lines, legend } = props
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    const element = host.current
    if (element === null) return
    const redraw = () => {
      plot.current?.destroy()
      plot.current = draw(element, latest.current)
    }
    redraw()
    const sizes = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }))
    sizes.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    return () => {
      scheme.removeEventListener('change', redraw)
      sizes.disconnect()
      plot.current?.destroy()
    }
  }, [])
  useEffect(() => {
    plot.current?.setData([[...times], ...lines.map((line) => [...line])])
  }, [times])

  return (
    <figure class="panel plot">
      <figcaption class="row">
        {title} <strong>{value}</strong>
        {legend && (
          <span class="legend">
            {legend.map((name, index) => (
              <span key={name} data-line={index + 1}>
                {name}{' '}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <div class="plot-canvas" role="img" aria-label={`${title}: ${value}`} ref={host}>
        {lines.map((_, index) => (
          <span key={index} data-line={index + 1} />
        ))}
      </div>
    </figure>
  )
}
