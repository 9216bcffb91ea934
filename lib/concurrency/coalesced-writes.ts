import { COALESCED_MAX_WAIT_MS } from './timeouts.ts'
import { withTimeout } from './with-timeout.ts'

/** Writes an input with all others that wait at the same time, and answers its own result. */
export type CoalescedWrites<I, O> = (input: I) => Promise<O>

/** Answers of a batch by place; while its `rest` goes on, what arrives waits for the next batch. */
type BatchResults<O> = readonly O[] | { results: readonly O[]; rest: Promise<unknown> }

interface CoalescedWritesOptions {
  maxSize?: number
  /** A batch that hangs on a broken connection must not keep the next one from the database. */
  maxWaitMs?: number
}

interface WaitingWrite<I, O> {
  input: I
  resolve: (result: O) => void
  reject: (error: unknown) => void
}

/** Groups writes: one batch runs, and what arrives meanwhile is the next one. `writeAll` answers a result for each input. */
export function createCoalescedWrites<I, O>(
  writeAll: (inputs: readonly I[]) => Promise<BatchResults<O>>,
  { maxSize = 100, maxWaitMs = COALESCED_MAX_WAIT_MS }: CoalescedWritesOptions = {},
): CoalescedWrites<I, O> {
  const waiting: WaitingWrite<I, O>[] = []
  let isRunning = false

  async function writeBatch(batch: readonly WaitingWrite<I, O>[]): Promise<void> {
    try {
      const written = await writeAll(batch.map(({ input }) => input))
      const { results, rest } = 'results' in written ? written : { results: written, rest: undefined }
      for (const [index, result] of results.entries()) batch[index]?.resolve(result)
      await rest
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await withTimeout(maxWaitMs, writeBatch(waiting.splice(0, maxSize))).catch(() => undefined)
    }
    isRunning = false
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (isRunning) return
      isRunning = true
      // Whatever arrives in the same turn of the event loop is in the first batch.
      setImmediate(run)
    })
}
