import { expect, test } from 'vitest'
import { z } from 'zod'
import { createSchemaBook } from '../../../lib/docs/schema-book.ts'

const dialect = 'draft-2020-12'

test('a schema with a name stands once in the components and is referred to, at any depth', () => {
  const Author = z.object({ name: z.string() }).meta({ id: 'Author' })
  const Post = z.object({ author: Author.nullable(), others: z.array(Author) }).meta({ id: 'Post' })
  const book = createSchemaBook({ inputs: [], outputs: [Post], dialect })

  expect(book.output(Post)).toEqual({ $ref: '#/components/schemas/Post' })
  expect(Object.keys(book.components)).toEqual(['Author', 'Post'])
  expect(book.components.Post?.properties).toEqual({
    author: { anyOf: [{ $ref: '#/components/schemas/Author' }, { type: 'null' }] },
    others: { type: 'array', items: { $ref: '#/components/schemas/Author' } },
  })
})

test('one that is sent and received stands twice, and so does what is within it', () => {
  const Inner = z.object({ count: z.int().default(1) }).meta({ id: 'Inner' })
  const Outer = z.object({ inner: Inner }).meta({ id: 'Outer' })
  const book = createSchemaBook({ inputs: [Outer], outputs: [Outer], dialect })

  expect(Object.keys(book.components)).toEqual(['Inner', 'InnerInput', 'Outer', 'OuterInput'])
  expect(book.input(Outer)).toEqual({ $ref: '#/components/schemas/OuterInput' })
  expect(book.components.OuterInput?.properties).toEqual({ inner: { $ref: '#/components/schemas/InnerInput' } })
  expect(book.components.InnerInput?.required).toBeUndefined()
  expect(book.components.Inner?.required).toEqual(['count'])
})

test('a transform, a refinement and a change of case do not stand in the way', () => {
  const Body = z.object({
    name: z.string().trim().min(3).toLowerCase(),
    tags: z.string().transform((text) => text.split(',')),
    even: z.int().refine((value) => value % 2 === 0),
    at: z.iso.datetime(),
  })
  const book = createSchemaBook({ inputs: [Body], outputs: [], dialect })

  expect(book.input(Body).properties).toEqual({
    name: { type: 'string', minLength: 3 },
    tags: { type: 'string' },
    even: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
  })
})
