import { setMaxListeners } from 'node:events'

/** Limits the time of one call, separately for its work and for its waits for permits. */
export interface CallTimer {
  /** Aborted when either time is over, or with the reason of the caller's signal. */
  signal: AbortSignal
  msLeft(): number
  /** True until the first permit, and while the call waits for a permit. */
  isQueued(): boolean
  /** Waits for a permit. The time of the work continues afterwards. */
  take<T>(permit: (signal: AbortSignal) => Promise<T>): Promise<T>
  clear(): void
}

interface CallTimerOptions {
  callMs: number
  permitMs: number
  signal: AbortSignal | undefined
}

/** Starts the timer of a call that waits for its first permit. */
export function startCallTimer({ callMs, permitMs, signal: caller }: CallTimerOptions): CallTimer {
  const controller = new AbortController()
  const left = { queue: permitMs, work: callMs }
  let running: keyof typeof left = 'queue'
  let isCleared = false
  let since = performance.now()
  let timer: NodeJS.Timeout | undefined

  const msLeft = (of: keyof typeof left) => left[of] - (of === running ? performance.now() - since : 0)
  const end = () => controller.abort(new DOMException('no answer in time', 'TimeoutError'))

  function run(next: keyof typeof left): void {
    if (signal.aborted || isCleared) return
    clearTimeout(timer)
    left[running] = msLeft(running)
    running = next
    since = performance.now()
    timer = setTimeout(end, left[next])
  }

  const signal = AbortSignal.any(caller === undefined ? [controller.signal] : [controller.signal, caller])
  setMaxListeners(0, signal)
  run('queue')

  return {
    signal,
    msLeft: () => msLeft('work'),
    isQueued: () => running === 'queue',
    async take(permit) {
      run('queue')
      const taken = await permit(signal)
      run('work')
      return taken
    },
    clear() {
      isCleared = true
      clearTimeout(timer)
    },
  }
}
