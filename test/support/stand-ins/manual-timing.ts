import type { Timing } from '#lib/infrastructure/sources/transport/timing'

interface ManualTiming extends Timing {
  /** Lets so much time pass at once, waking what waited for less in its order. */
  advance(ms: number): Promise<void>
}

export function createManualTiming(): ManualTiming {
  let now = 0
  let waiting: { at: number; wake: () => void }[] = []
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  return {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) reject(signal.reason)
        const one = { at: now + ms, wake: resolve }
        waiting.push(one)
        signal?.addEventListener('abort', () => {
          waiting = waiting.filter((each) => each !== one)
          reject(signal.reason)
        })
      }),
    async advance(ms) {
      const end = now + ms
      for (;;) {
        const [next] = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        waiting = waiting.filter((each) => each !== next)
        now = Math.max(now, next.at)
        next.wake()
        await settle()
      }
      now = end
      await settle()
    },
  }
}
