import { SOURCE_TIMEOUTS } from '../../concurrency/timeouts.ts'
import type { Timing } from './timing.ts'

/** How a call ended; `neutral` when it says nothing about the source. */
export type Outcome = 'success' | 'failure' | 'neutral'

export type Circuit = ReturnType<typeof createCircuit>

interface CircuitOptions {
  failures?: number
  openMs?: number
  timing: Timing
  onOpen?: () => void
}

/** Stops calls after several failures in a row. After `openMs` one trial at a time may pass, whose end decides. */
export function createCircuit(options: CircuitOptions) {
  const { failures: limit = 5, openMs = SOURCE_TIMEOUTS.circuitOpenMs, timing, onOpen = () => undefined } = options
  let failures = 0
  let openUntil: number | undefined
  let isTrialUnderWay = false
  // A call that began before the circuit opened or closed does not count.
  let generation = 0

  function setState(until: number | undefined): void {
    generation += 1
    failures = 0
    openUntil = until
    if (until !== undefined) onOpen()
  }
  const open = (ms: number) => setState(Math.max(openUntil ?? 0, timing.now() + ms))

  function count(outcome: 'success' | 'failure'): void {
    if (outcome === 'success') failures = 0
    else failures += 1
    if (failures >= limit) open(openMs)
  }

  function decide(outcome: 'success' | 'failure'): void {
    if (outcome === 'success') setState(undefined)
    else open(openMs)
  }

  function begin(isTrial: boolean) {
    const begun = generation
    /** True when the circuit has opened or closed since, and the call may send nothing further. */
    const isStale = () => generation !== begun
    if (isTrial) isTrialUnderWay = true
    return {
      isStale,
      end(outcome: Outcome): void {
        if (isTrial) isTrialUnderWay = false
        if (isStale() || outcome === 'neutral') return
        if (isTrial) decide(outcome)
        else count(outcome)
      },
    }
  }

  function openForMs(): number {
    if (openUntil === undefined) return 0
    return Math.max(isTrialUnderWay ? SOURCE_TIMEOUTS.trialMs : 0, openUntil - timing.now())
  }

  return {
    /** Lets a call through, or answers undefined while nothing may be sent. */
    enter() {
      if (openUntil === undefined) return begin(false)
      return openForMs() > 0 ? undefined : begin(true)
    },
    /** Opens the circuit for at least this time, whatever the end of running calls. */
    open,
    openForMs,
  }
}
