import { expect, test } from 'vitest'
import { z } from 'zod'
import { createSchemaBook } from '../../../lib/docs/schema-book.ts'
import { writeShape } from '../../../lib/docs/write-shape.ts'

const Inner = z.object({ ok: z.literal(true) }).meta({ id: 'Inner' })

test.each([
  [z.object({}), '{}'],
  [z.object({ a: z.string(), b: z.int().optional() }), '{\n  a: string\n  b?: integer\n}'],
  [z.object({ a: z.object({ b: z.boolean() }) }), '{\n  a: {\n    b: boolean\n  }\n}'],
  [z.array(z.string()).min(1).max(500), 'string[] (1..500)'],
  [z.array(z.string()).max(500), 'string[] (0..500)'],
  [z.array(z.int()), 'integer[]'],
  [z.enum(['start', 'end']), '"start" | "end"'],
  [z.string().nullable(), 'string | null'],
  [z.union([Inner, z.object({ ok: z.literal(false) })]), '{\n  ok: true\n} | {\n  ok: false\n}'],
  [z.iso.datetime(), 'string (ISO 8601)'],
  [z.object({ at: z.enum(['a']).default('a') }), '{\n  at: "a" = "a"\n}'],
  [z.unknown(), 'unknown'],
])('%#: is written as a type would be', (schema, expected) => {
  const book = createSchemaBook({ inputs: [], outputs: [schema], dialect: 'draft-07' })

  expect(writeShape(book.output(schema), book.components)).toBe(expected)
})
