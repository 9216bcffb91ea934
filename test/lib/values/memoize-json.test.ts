import { expect, it } from 'vitest'
import { memoizeJson, stringifyMemoized } from '../../../lib/values/memoize-json.ts'

it('is the text of whatever was not marked, as it is now', () => {
  const value = { a: 1 }
  expect(stringifyMemoized(value)).toBe('{"a":1}')
  value.a = 2
  expect(stringifyMemoized(value)).toBe('{"a":2}')
  expect([stringifyMemoized(null), stringifyMemoized('x'), stringifyMemoized([1])]).toEqual(['null', '"x"', '[1]'])
})

it('is bytes that are made once for what was marked', () => {
  let made = 0
  const value = memoizeJson({
    toJSON: () => {
      made += 1
      return { made }
    },
  })
  const [first, again] = [stringifyMemoized(value), stringifyMemoized(value)]
  expect(String(first)).toBe('{"made":1}')
  expect(again).toBe(first)
})
