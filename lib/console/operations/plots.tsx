import { useMemo } from 'preact/hooks'
import type { Operations, OperationsSample } from '../../contract/measurements.ts'
import { formatNumber } from '../format.ts'
import { Plot } from './plot.tsx'
import { MB, toMb, toMs, toRate } from './units.ts'

/** The last ten minutes up to the snapshot. */
export function Plots({ snapshot }: { snapshot: Operations }) {
  const { at, history } = snapshot
  const samples = useMemo(() => (history.at(-1)?.at === at ? history : [...history, snapshot]), [snapshot])
  const times = useMemo(() => samples.map((sample) => Date.parse(sample.at) / 1_000), [samples])
  const line = (read: (sample: OperationsSample) => number | null) => samples.map(read)
  const { requestsPerSecond, p95Ms, eventsPerSecond, eventLoopDelayMs, memoryBytes } = snapshot
  const { refusalsPerSecond, errorsPerSecond } = snapshot

  return (
    <div class="plots">
      <Plot
        title="Requests"
        value={toRate(requestsPerSecond)}
        times={times}
        lines={[line((each) => each.requestsPerSecond)]}
      />
      <Plot title="95 of 100 within" value={toMs(p95Ms)} times={times} lines={[line((each) => each.p95Ms)]} />
      <Plot
        title="Events"
        value={toRate(eventsPerSecond)}
        times={times}
        lines={[line((each) => each.eventsPerSecond)]}
      />
      <Plot
        title="Refusals and errors"
        value={`${formatNumber(refusalsPerSecond)} and ${formatNumber(errorsPerSecond)} a second`}
        times={times}
        lines={[line((each) => each.refusalsPerSecond), line((each) => each.errorsPerSecond)]}
        legend={['refusals', 'errors']}
      />
      <Plot
        title="Event-loop delay"
        value={toMs(eventLoopDelayMs)}
        times={times}
        lines={[line((each) => each.eventLoopDelayMs)]}
      />
      <Plot title="Memory" value={toMb(memoryBytes)} times={times} lines={[line((each) => each.memoryBytes / MB)]} />
    </div>
  )
}
