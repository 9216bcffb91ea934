import { expect, test } from 'vitest'
import { createBoundedCache } from '#lib/base/values/bounded-cache'

test('a full cache stays as large as it is, and one that was emptied takes as many again', () => {
  const cache = createBoundedCache<number>({ entries: 100 })
  const fill = () => {
    for (let index = 0; index < 1_000; index += 1) cache.set(`key ${index}`, index)
  }
  fill()
  expect(cache.size).toBe(100)
  for (const key of cache.keys()) cache.delete(key)
  expect(cache.size).toBe(0)
  fill()
  expect([...cache.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => 900 + index))
})
