import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Id } from '#lib/contract/ids'
import { readByContract, toContract } from '#lib/infrastructure/db/to-contract'

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

test('a date out of range is null', () => {
  expect(toContract(z.object({ at: z.string().nullable() }), { at: new Date(Number.NaN) })).toEqual({ at: null })
})

test('an id is read as hex where the contract has an id, and a date and an id in texts are read as absent', () => {
  const schema = z.object({ id: Id, ids: z.array(Id), text: z.string().nullable(), texts: z.array(z.string()) })
  const id = new ObjectId()
  const stored = { id, ids: [id, new Date(0)], text: new Date(0), texts: ['x', id, new Date(0)] }

  expect(readByContract(schema, stored)).toEqual({ id: String(id), ids: [String(id)], text: null, texts: ['x'] })
})
