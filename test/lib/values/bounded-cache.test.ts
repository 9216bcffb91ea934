import { expect, test } from 'vitest'
import { createBoundedCache } from '../../../lib/values/bounded-cache.ts'

test('a full cache lets go of what was not used for the longest time', () => {
  const cache = createBoundedCache<number>({ entries: 3 })
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.get('a')
  cache.set('c', 2)
  cache.set('d', 1)
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd'])
  expect(cache.get('c')).toBe(2)
})

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
