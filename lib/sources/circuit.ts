import type { Timing } from './timing.ts'

/** How a call ended; `neutral` when it tells nothing about the source. */
export type Outcome = 'success' | 'failure' | 'neutral'

export interface Circuit {
  /** Lets a call through and answers how its end is told, or undefined while nothing may be sent. */
  enter(): ((outcome: Outcome) => void) | undefined
  /** Milliseconds until another call may pass; 0 when one may at once. */
  closedForMs(): number
}

interface CircuitOptions {
  /** In a row. */
  failures?: number
  openMs?: number
  timing: Timing
}

/** What others wait while a trial is under way. */
const TRIAL_MS = 1_000

/** Stops calls to what keeps failing; after a while one trial at a time may pass, whose end decides. */
export function createCircuit({ failures: limit = 5, openMs = 30_000, timing }: CircuitOptions): Circuit {
  let failures = 0
  let openUntil: number | undefined
  let isTrialUnderWay = false
  // The end of a call that began before the circuit opened or closed says nothing about now.
  let era = 0

  function turn(to: 'open' | 'closed'): void {
    era += 1
    failures = 0
    openUntil = to === 'open' ? timing.now() + openMs : undefined
  }

  function endOf(begun: number) {
    return (outcome: Outcome) => {
      if (era !== begun || outcome === 'neutral') return
      if (outcome === 'success') failures = 0
      else failures += 1
      if (failures >= limit) turn('open')
    }
  }

  function startTrial() {
    isTrialUnderWay = true
    return (outcome: Outcome) => {
      isTrialUnderWay = false
      if (outcome !== 'neutral') turn(outcome === 'success' ? 'closed' : 'open')
    }
  }

  function closedForMs(): number {
    if (openUntil === undefined) return 0
    return isTrialUnderWay ? TRIAL_MS : Math.max(0, openUntil - timing.now())
  }

  return {
    enter() {
      if (openUntil === undefined) return endOf(era)
      return closedForMs() > 0 ? undefined : startTrial()
    },
    closedForMs,
  }
}
