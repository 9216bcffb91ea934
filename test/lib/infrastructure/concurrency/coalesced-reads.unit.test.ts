import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createCoalescedReads } from '#lib/infrastructure/concurrency/coalesced-reads'

const NEVER_MS = 3_600_000

/** Reads that end when they are told to, each with what was written until it began. */
function createScene(options?: Parameters<typeof createCoalescedReads>[0]) {
  const share = createCoalescedReads<{ key: string; order?: string }, number>(options)
  const begun: { resolve: () => void; reject: (reason: Error) => void }[] = []
  let written = 0

  return {
    begun,
    write: () => {
      written += 1
    },
    ask: (key = 'a', more: { order?: string } = {}) =>
      share({ key, ...more }, async () => {
        const seen = written
        await new Promise<void>((resolve, reject) => begun.push({ resolve, reject }))
        return seen
      }),
  }
}

it('begins for each key in the turn in which it is asked for, after all who ask in it', async () => {
  const { ask, begun, write } = createScene({ maxWaitMs: NEVER_MS })
  const [a, b] = [ask('a'), ask('b')]
  write()
  const [sameA, sameB] = [ask('a'), ask('b')]
  await setImmediate()
  expect(begun).toHaveLength(2)
  for (const { resolve } of begun) resolve()
  expect(await Promise.all([a, b, sameA, sameB])).toEqual([1, 1, 1, 1])
})

it('is not shared by inputs that differ in anything', async () => {
  const { ask, begun } = createScene({ maxWaitMs: NEVER_MS })
  const reads = [ask('a'), ask('a', { order: 'new' }), ask('a', { order: 'top' }), ask('a', { order: 'new' })]
  await setImmediate()
  expect(begun).toHaveLength(3)
  for (const { resolve } of begun) resolve()
  await Promise.all(reads)
})

it('is that which begins after all who share it have asked, however many they are', async () => {
  const { ask, begun, write } = createScene({ maxWaitMs: NEVER_MS })
  const first = ask()
  await setImmediate()
  const others = Array.from({ length: 100 }, () => {
    write()
    return ask()
  })
  await setImmediate()
  expect(begun).toHaveLength(1)
  begun[0]?.resolve()
  expect(await first).toBe(0)
  await expect.poll(() => begun.length).toBe(2)
  write()
  const late = ask()
  begun[1]?.resolve()
  expect(new Set(await Promise.all(others))).toEqual(new Set([100]))
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.resolve()
  expect(await late).toBe(101)
})

it('that fails fails for all who share it, and for nobody after them', async () => {
  const { ask, begun } = createScene({ maxWaitMs: NEVER_MS })
  const fail = () => ask().catch((error: unknown) => error)
  const first = fail()
  await setImmediate()
  const others = [fail(), fail()]
  const [reason, another] = [new Error('one'), new Error('another')]
  begun[0]?.reject(reason)
  expect(await first).toBe(reason)
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.reject(another)
  expect(await Promise.all(others)).toEqual([another, another])

  const after = ask()
  await setImmediate()
  expect(begun).toHaveLength(3)
  begun[2]?.resolve()
  expect(await after).toBe(0)
})

it('does not wait for one that hangs', async () => {
  const { ask, begun, write } = createScene({ maxWaitMs: 10 })
  const hanging = ask()
  await setImmediate()
  write()
  const next = ask()
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.resolve()
  expect(await next).toBe(1)
  begun[0]?.resolve()
  expect(await hanging).toBe(0)
})
