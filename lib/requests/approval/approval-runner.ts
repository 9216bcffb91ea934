import { setTimeout as sleep } from 'node:timers/promises'
import { MESSAGES } from '../../contract/messages.ts'
import { DomainError } from '../../errors.ts'
import type { Logger } from '../../observability/log.ts'

/** The approvals that run in this process. */
export interface ApprovalRunner {
  /**
   * Runs one. Its signal aborts at its deadline and when the service stops, with the refusal that its admin is to read.
   * @throws DomainError UNAVAILABLE when the service stops
   */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Does something that failed again, until it succeeds or the service stops; `what` completes a sentence of the log. */
  tryAgain(what: string, work: () => Promise<void>): void
  /**
   * Does something several times within the next minute, the last time with `isLast`, and goes on where that fails. A stop
   * ends it.
   */
  repeat(what: string, work: (isLast: boolean) => Promise<void>): void
  /** Aborts all and waits until they are rolled back. */
  stop(): Promise<void>
}

export interface ApprovalRunnerOptions {
  deadlineMs?: number
  /** Before the first time something is done again; longer each time. */
  retryMs?: number
  /** Between the times that something is repeated. */
  repeatMs?: readonly number[]
}

const DEADLINE_MS = 5 * 60_000
/** With the roll-back. The claim lasts three times as long as the deadline. */
export const APPROVAL_TIMEOUT_MS = DEADLINE_MS + 60_000
const LONGEST_WAIT_MS = 30_000
const REPEAT_MS = [5_000, 15_000, 40_000]

export function createApprovalRunner(
  { log }: { log: Logger },
  { deadlineMs = DEADLINE_MS, retryMs = 500, repeatMs = REPEAT_MS }: ApprovalRunnerOptions = {},
): ApprovalRunner {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()

  async function untilDone(what: string, work: () => Promise<void>): Promise<void> {
    for (let waitMs = retryMs; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      await sleep(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      // Once more when it stops: nothing is lost where that fails, but the next start is far.
      const isLast = stopping.signal.aborted
      try {
        await work()
        log.info({ what }, 'done after all')
        return
      } catch (error) {
        log.warn({ err: error, what }, 'still failing')
        if (isLast) return
      }
    }
  }

  async function severalTimes(what: string, work: (isLast: boolean) => Promise<void>): Promise<void> {
    for (const [index, waitMs] of repeatMs.entries()) {
      await sleep(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (stopping.signal.aborted) return
      const isLast = index === repeatMs.length - 1
      try {
        await work(isLast)
      } catch (error) {
        log.warn({ err: error, what }, 'could not be repeated')
        if (isLast) await untilDone(what, () => work(isLast))
      }
    }
  }

  function keep<T>(work: Promise<T>): Promise<T> {
    running.add(work)
    const forget = () => void running.delete(work)
    work.then(forget, forget)
    return work
  }

  return {
    async run(work) {
      stopping.signal.throwIfAborted()
      const overdue = new AbortController()
      const refusal = new DomainError('UNAVAILABLE', MESSAGES.approvalTooSlow)
      const deadline = setTimeout(() => overdue.abort(refusal), deadlineMs)
      try {
        return await keep(work(AbortSignal.any([stopping.signal, overdue.signal])))
      } finally {
        clearTimeout(deadline)
      }
    },
    tryAgain(what, work) {
      void keep(untilDone(what, work))
    },
    repeat(what, work) {
      void keep(severalTimes(what, work))
    },
    async stop() {
      stopping.abort(new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable))
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
