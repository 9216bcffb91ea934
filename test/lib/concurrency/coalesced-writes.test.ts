import { expect, test } from 'vitest'
import { createCoalescedWrites } from '../../../lib/concurrency/coalesced-writes.ts'

/** Batches that end when the test says so. */
function startBatches(options: Parameters<typeof createCoalescedWrites>[1] = {}) {
  const batches: { inputs: readonly number[]; end: (results: number[]) => void; fail: (error: Error) => void }[] = []
  const write = createCoalescedWrites<number, number>(
    (inputs) => new Promise((end, fail) => batches.push({ inputs, end, fail })),
    options,
  )
  const endAll = () => batches.at(-1)?.end([...(batches.at(-1)?.inputs ?? [])])
  const begun = (count: number) => expect.poll(() => batches.length).toBe(count)
  return { batches, write, endAll, begun }
}

test('what arrives in one turn is one batch, and each gets its own result', async () => {
  const { batches, write, begun } = startBatches()
  const results = Promise.all([1, 2, 3].map(write))
  await begun(1)
  batches[0]?.end([10, 20, 30])

  expect(batches[0]?.inputs).toEqual([1, 2, 3])
  expect(await results).toEqual([10, 20, 30])
})

test('what arrives while a batch runs is the next one', async () => {
  const { batches, write, endAll, begun } = startBatches({ maxWaitMs: 60_000 })
  const first = write(1)
  await begun(1)
  const others = Promise.all([write(2), write(3)])
  endAll()
  expect(await first).toBe(1)
  await begun(2)
  expect(batches[1]?.inputs).toEqual([2, 3])
  endAll()
  expect(await others).toEqual([2, 3])
})

test('a batch has at most so many', async () => {
  const { batches, write, endAll, begun } = startBatches({ maxSize: 2, maxWaitMs: 60_000 })
  const all = Promise.all([1, 2, 3].map(write))
  await begun(1)
  endAll()
  await begun(2)
  endAll()

  expect(await all).toEqual([1, 2, 3])
  expect(batches.map(({ inputs }) => inputs)).toEqual([[1, 2], [3]])
})

test('a failure is that of its batch alone', async () => {
  const { batches, write, endAll, begun } = startBatches()
  const first = Promise.allSettled([1, 2].map(write))
  await begun(1)
  batches[0]?.fail(new Error('gone'))
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = write(3)
  await begun(2)
  endAll()
  expect(await next).toBe(3)
})

test('a batch that hangs keeps the next one waiting for a while only', async () => {
  const { batches, write, endAll, begun } = startBatches({ maxWaitMs: 20 })
  const hanging = write(1)
  await begun(1)
  const next = write(2)
  await begun(2)
  endAll()
  expect(await next).toBe(2)
  batches[0]?.end([1])
  expect(await hanging).toBe(1)
})
