import { setTimeout as sleep } from 'node:timers/promises'
import { START_STEP_TIMEOUT_MS, STOP_TIMEOUT_MS } from '../infrastructure/concurrency/timeouts.ts'
import type { Logger } from '../infrastructure/observability/log.ts'

type Close = (exitCode: number) => Promise<unknown>

export type Shutdown = ReturnType<typeof createShutdown>

/** Creates the shutdown of this process, for signals, failed starts and uncaught errors. Only a signal waits for `drainMs`. */
export function createShutdown(log: Logger, { drainMs }: { drainMs: number }) {
  const closes: Close[] = []
  let current: Promise<unknown> = Promise.resolve()
  let stopping: Promise<void> | undefined

  async function closeAll(exitCode: number): Promise<void> {
    const withinMs = STOP_TIMEOUT_MS + (exitCode === 0 ? drainMs : 0)
    setTimeout(() => process.exit(exitCode || 1), withinMs).unref()
    await Promise.race([current.catch(() => undefined), sleep(START_STEP_TIMEOUT_MS)])
    for (const close of closes.reverse()) {
      await close(exitCode).catch((error: unknown) => log.error({ err: error }, 'shutdown hook failed'))
    }
    process.exit(exitCode)
  }

  const shutdown = {
    /** Registers a function to call at the stop, in reverse order. */
    onStop(close: Close): void {
      closes.push(close)
    },
    /** Awaits one step of the start. A stop waits briefly for the step, and the start does not continue after it. */
    async step<T>(work: Promise<T>): Promise<T> {
      current = work
      const result = await work
      return stopping === undefined ? result : new Promise<never>(() => undefined)
    },
    /** Closes everything and ends the process. Repeated calls change nothing. */
    stop(exitCode: number): Promise<void> {
      stopping ??= closeAll(exitCode)
      return stopping
    },
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void shutdown.stop(0))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void shutdown.stop(1)
  })
  return shutdown
}
