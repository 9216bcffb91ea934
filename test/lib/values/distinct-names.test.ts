import { expect, it } from 'vitest'
import { distinctNames } from '../../../lib/values/distinct-names.ts'

it('keeps the first of the names that differ in case and space alone', () => {
  expect(distinctNames(['Lantern', ' lantern ', '灯', 'Lamp', '灯'])).toEqual(['Lantern', '灯', 'Lamp'])
})

it('leaves out what says nothing and what is said besides', () => {
  expect(distinctNames([null, undefined, '', '  ', 'Title', 'Other'], ['title'])).toEqual(['Other'])
})
