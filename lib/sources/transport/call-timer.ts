import { setMaxListeners } from 'node:events'
import { linkAbort } from '../../concurrency/link-abort.ts'

/** The time that one call has: so long for its own work, and so long until its turns come. */
export interface CallTimer {
  /** Aborted when either time is over, or with the reason of the caller's signal when that is. */
  signal: AbortSignal
  /** The time left for its own work. */
  msLeft(): number
  /** Whether the time that runs, or ran last, is that of waiting for a turn. It is so until the first turn. */
  isForTurn(): boolean
  /** Takes a turn; its own time begins or goes on after it. */
  take<T>(turn: (signal: AbortSignal) => Promise<T>): Promise<T>
  clear(): void
}

interface CallClockOptions {
  callMs: number
  turnMs: number
  signal: AbortSignal | undefined
}

/** Starts the clock of a call, which waits for its first turn. */
export function startCallTimer({ callMs, turnMs, signal: caller }: CallClockOptions): CallTimer {
  const controller = new AbortController()
  const left = { turn: turnMs, work: callMs }
  let running: keyof typeof left = 'turn'
  let isCleared = false
  let since = performance.now()
  let timer: NodeJS.Timeout | undefined

  const msLeft = (of: keyof typeof left) => left[of] - (of === running ? performance.now() - since : 0)
  const end = () => controller.abort(new DOMException('no answer in time', 'TimeoutError'))

  function run(next: keyof typeof left): void {
    if (controller.signal.aborted || isCleared) return
    clearTimeout(timer)
    left[running] = msLeft(running)
    running = next
    since = performance.now()
    timer = setTimeout(end, left[next])
  }

  setMaxListeners(0, controller.signal)
  const unfollow = linkAbort(controller, caller)
  run('turn')

  return {
    signal: controller.signal,
    msLeft: () => msLeft('work'),
    isForTurn: () => running === 'turn',
    async take(turn) {
      run('turn')
      const taken = await turn(controller.signal)
      run('work')
      return taken
    },
    clear() {
      isCleared = true
      clearTimeout(timer)
      unfollow()
    },
  }
}
