import { expect, it } from 'vitest'
import { withoutNullish } from '../../../lib/values/without-nullish.ts'

it('leaves out what is null or undefined and keeps every other value, also 0 and an empty text', () => {
  const fields = withoutNullish({ none: null, missing: undefined, zero: 0, empty: '', no: false })

  expect(Object.entries(fields)).toEqual([
    ['zero', 0],
    ['empty', ''],
    ['no', false],
  ])
})
