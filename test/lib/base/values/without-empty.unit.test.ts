import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { isEmpty, withoutEmpty } from '#lib/base/values/without-empty'

it.each([undefined, null, '', [], {}])('%j says nothing', (value) => expect(isEmpty(value)).toBe(true))

it.each([0, false, ' ', [''], { a: null }, new Date(0), new ObjectId()])('%j says something', (value) => {
  expect(isEmpty(value)).toBe(false)
})

it('leaves out what says nothing', () => {
  expect(withoutEmpty({ a: 0, b: '', c: null, d: [], e: ['x'], f: {}, g: undefined })).toEqual({ a: 0, e: ['x'] })
  expect(Object.keys(withoutEmpty({ a: undefined }))).toEqual([])
})
