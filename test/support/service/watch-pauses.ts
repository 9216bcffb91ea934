const BEAT_MS = 20

interface Beat {
  at: number
  /** How long the machine kept this process from running before the beat. */
  missedMs: number
}

/** Measures when the machine keeps this process from running, since that time is not the service's. */
export function watchPauses() {
  const beats: Beat[] = []
  let last = { at: performance.now(), cpu: process.cpuUsage() }
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last.cpu)
    const at = performance.now()
    beats.push({ at, missedMs: Math.max(0, at - last.at - BEAT_MS - (user + system) / 1_000) })
    last = { at, cpu: process.cpuUsage() }
  }, BEAT_MS)

  return {
    /** The milliseconds missed between two times of `performance.now()`. */
    missedBetween: (from: number, to: number) =>
      beats.reduce((sum, { at, missedMs }) => sum + (at > from && at - missedMs < to ? missedMs : 0), 0),
    stop: () => clearInterval(timer),
  }
}

/** Does some work, and measures how long it takes of the time in which this process can run. */
export async function timeUnpaused<T>(work: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const pauses = watchPauses()
  try {
    const startedAt = performance.now()
    const result = await work()
    const endedAt = performance.now()
    return { result, tookMs: endedAt - startedAt - pauses.missedBetween(startedAt, endedAt) }
  } finally {
    pauses.stop()
  }
}
