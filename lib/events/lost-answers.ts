import { MongoServerSelectionError } from 'mongodb'
import { LOST_ANSWER_RETRY_MS, UNANSWERED_WRITE_ENDS_MS } from '../concurrency/timeouts.ts'
import { isDatabaseUnreachable } from '../db/is-database-unreachable.ts'
import type { Logger } from '../observability/log.ts'

interface GuardOptions {
  /** Something was written before, and is untold even when this command was never sent. */
  isAfterWrite?: boolean
}

/** Writes that were sent and not answered: they may have happened, and nobody was told. */
export interface LostAnswers {
  /** Writes; when the answer is lost, `readAgain` runs once the database is back, as often as it takes. */
  guard<T>(write: () => Promise<T>, readAgain: () => Promise<void>, options?: GuardOptions): Promise<T>
  isEmpty(): boolean
  close(): void
}

const MAX_LOST = 10_000

interface LostAnswer {
  readAgain: () => Promise<void>
  lostAt: number
}

interface LostAnswersOptions {
  log: Logger
  onSettled: () => void
  /** Whether a command may have been sent since a time of `performance.now()`. */
  wasReachableSince: (time: number) => boolean
}

export function createLostAnswers({ log, onSettled, wasReachableSince }: LostAnswersOptions): LostAnswers {
  const lost = new Set<LostAnswer>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function schedule(): void {
    if (timer !== undefined || lost.size === 0 || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      void settleAll()
    }, LOST_ANSWER_RETRY_MS)
    timer.unref()
  }

  async function settleAll(): Promise<void> {
    for (const answer of [...lost]) {
      if (performance.now() - answer.lostAt < UNANSWERED_WRITE_ENDS_MS) continue
      try {
        await answer.readAgain()
      } catch (error) {
        if (isDatabaseUnreachable(error)) break
        log.error({ err: error }, 'a write whose answer was lost could not be read again')
      }
      lost.delete(answer)
    }
    if (lost.size === 0) onSettled()
    schedule()
  }

  return {
    async guard(write, readAgain, { isAfterWrite = false } = {}) {
      const begunAt = performance.now()
      try {
        return await write()
      } catch (error) {
        // The error may be that of the driver's second attempt, as of a wait for a connection: the first may have been sent.
        const isUnsent = error instanceof MongoServerSelectionError && !wasReachableSince(begunAt)
        if (isDatabaseUnreachable(error) && (isAfterWrite || !isUnsent) && !isClosed) {
          const [oldest] = lost
          if (lost.size >= MAX_LOST && oldest !== undefined) lost.delete(oldest)
          lost.add({ readAgain, lostAt: performance.now() })
          schedule()
        }
        throw error
      }
    },
    isEmpty: () => lost.size === 0,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
