import { expect, test } from 'vitest'
import { z } from 'zod'
import { toContract } from '#lib/infrastructure/db/to-contract'

const Part = z.object({ key: z.string(), at: z.string().optional() })
const Schema = z.object({
  _id: z.string(),
  list: z.array(z.string()).optional(),
  parts: z.array(Part).optional(),
  part: Part.optional(),
})

test('null is absent, and an odd value of another program stays', () => {
  expect(toContract(Schema, { _id: 'x', list: null, parts: 'many', part: 7 })).toEqual({
    _id: 'x',
    parts: 'many',
    part: 7,
  })
})

test('a key that every object inherits is not taken for a stored one', () => {
  expect(toContract(z.object({ toString: z.string().optional() }), {})).toEqual({})
})
