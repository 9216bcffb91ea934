import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { asCompleted } from '../../../lib/concurrency/as-completed.ts'

/** Work that ends when the test says so. */
function startWork() {
  const ends = new Map<string, () => void>()
  const work = (item: string) => new Promise<string>((resolve) => ends.set(item, () => resolve(item)))
  return { work, begun: () => [...ends.keys()], end: (item: string) => ends.get(item)?.() }
}

test('results come as they are known, and as many items are under way as may be', async () => {
  const { work, begun, end } = startWork()
  const results = asCompleted(['a', 'b', 'c', 'd'], { limit: 2, work, mayBegin: () => true })
  const first = results.next()
  expect(begun()).toEqual(['a', 'b'])
  end('b')
  expect(await first).toEqual({ done: false, value: 'b' })
  expect(begun()).toEqual(['a', 'b'])

  const second = results.next()
  await setImmediate()
  expect(begun()).toEqual(['a', 'b', 'c'])
  end('a')
  end('c')
  expect((await second).value).toBe('a')
  expect((await results.next()).value).toBe('c')
  const last = results.next()
  await setImmediate()
  end('d')
  expect((await last).value).toBe('d')
  expect((await results.next()).done).toBe(true)
})

test('what was begun is answered when nothing more may begin', async () => {
  const { work, begun, end } = startWork()
  let mayGoOn = true
  const results = asCompleted(['a', 'b', 'c'], { limit: 2, work, mayBegin: () => mayGoOn })
  const first = results.next()
  mayGoOn = false
  end('a')
  expect((await first).value).toBe('a')
  end('b')
  expect((await results.next()).value).toBe('b')
  expect((await results.next()).done).toBe(true)
  expect(begun()).toEqual(['a', 'b'])
})

test('no item is no result', async () => {
  const results = asCompleted([], { limit: 3, work: async () => 1, mayBegin: () => true })
  expect((await results.next()).done).toBe(true)
})
