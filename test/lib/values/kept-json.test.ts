import { expect, it } from 'vitest'
import { keepJson, toJson } from '../../../lib/values/kept-json.ts'

it('is the text of whatever was not marked, as it is now', () => {
  const value = { a: 1 }
  expect(toJson(value)).toBe('{"a":1}')
  value.a = 2
  expect(toJson(value)).toBe('{"a":2}')
  expect([toJson(null), toJson('x'), toJson([1])]).toEqual(['null', '"x"', '[1]'])
})

it('is made once for what was marked', () => {
  let made = 0
  const value = keepJson({
    toJSON: () => {
      made += 1
      return { made }
    },
  })
  expect([toJson(value), toJson(value)]).toEqual(['{"made":1}', '{"made":1}'])
})
