const BEAT_MS = 20

interface Beat {
  at: number
  /** For how long before it this process would have run, and did not. */
  missedMs: number
}

/** Follows when the machine keeps this process from running: what took so long was not the service. */
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

/** Runs work, and answers how long it took of the time in which this process could run. */
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
