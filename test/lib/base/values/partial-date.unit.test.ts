import { expect, it } from 'vitest'
import { readPartialDate } from '#lib/base/values/partial-date'

it.each([
  ['1999-12-31', 946_598_400],
  ['2019-04', 1_554_076_800],
  ['2022', 1_640_995_200],
  ['1969', -31_536_000],
  ['2020-02-29', 1_582_934_400],
])('%s counts from its first second in UTC', (text, seconds) => {
  expect(readPartialDate(text)).toEqual({ text, seconds })
})

it.each(['TBA', '', null, undefined, '0000', '2019-13', '2019-02-29', '2019-04-01T00:00'])('%s is no date', (text) => {
  expect(readPartialDate(text)).toBeUndefined()
})
