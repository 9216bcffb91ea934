import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { APPROVAL_DEADLINE_MS, APPROVAL_RETRIES } from '#lib/infrastructure/concurrency/timeouts'
import type { Logger } from '#lib/infrastructure/observability/log'

export type ApprovalRunner = ReturnType<typeof createApprovalRunner>

export function createApprovalRunner({
  deadlineMs = APPROVAL_DEADLINE_MS,
  retryMs = APPROVAL_RETRIES.firstMs,
}: {
  deadlineMs?: number
  retryMs?: number
} = {}) {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()

  async function retryUntilDone(task: string, log: Logger, work: () => Promise<void>): Promise<void> {
    for (let waitMs = retryMs; ; waitMs = Math.min(waitMs * 2, APPROVAL_RETRIES.longestMs)) {
      await sleep(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      // A stop allows one more attempt, because the next start may be far away. Nothing is lost if the attempt fails.
      const isLast = stopping.signal.aborted
      try {
        await work()
        log.info({ task }, 'retry succeeded')
        return
      } catch (error) {
        log.warn({ err: error, task }, 'retry failed')
        if (isLast) return
      }
    }
  }

  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work)
    const forget = () => void running.delete(work)
    work.then(forget, forget)
    return work
  }

  return {
    /**
     * Runs an approval. Its signal aborts at its deadline and when the service stops, with the refusal that the admin reads.
     * @throws DomainError UNAVAILABLE when the service stops
     */
    async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      stopping.signal.throwIfAborted()
      const overdue = new AbortController()
      const refusal = new DomainError('UNAVAILABLE', MESSAGES.approvalTooSlow)
      const deadline = setTimeout(() => overdue.abort(refusal), deadlineMs)
      try {
        return await track(work(AbortSignal.any([stopping.signal, overdue.signal])))
      } finally {
        clearTimeout(deadline)
      }
    },
    /** Retries a failed task, which the log names, backing off, until it succeeds or the service stops. */
    retry({ task, log }: { task: string; log: Logger }, work: () => Promise<void>): void {
      void track(retryUntilDone(task, log, work))
    },
    async stop(): Promise<void> {
      stopping.abort(new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable))
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
