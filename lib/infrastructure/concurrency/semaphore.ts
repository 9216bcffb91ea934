export function createSemaphore(count: number) {
  const waiting = new Set<() => void>()
  let free = count

  async function take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter)
        reject(signal.reason)
      }
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  function release(): void {
    const [next] = waiting
    if (next === undefined) {
      free += 1
      return
    }
    waiting.delete(next)
    next()
  }

  return {
    /** Runs work as soon as a slot is free, in order of arrival. Rejects with the signal's reason when it aborts first. */
    async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await take(signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
