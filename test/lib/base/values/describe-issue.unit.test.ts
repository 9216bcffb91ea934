import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeIssue } from '#lib/base/values/describe-issue'

const Body = z.object({
  text: z.string().min(2).max(5).default('abc'),
  flag: z.boolean().default(true),
  count: z.int().max(9).default(1),
  ids: z.array(z.string()).min(1).default(['a']),
  status: z.enum(['visible', 'hidden']).default('visible'),
  inner: z.object({ id: z.string('Invalid id') }).default({ id: 'a' }),
  needed: z.string(),
})
const Strict = z.strictObject({ a: z.string().optional() })

const first = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: describeIssue }).error?.issues[0]?.message

it.each([
  [{}, 'needed is required'],
  [null, 'The body must be an object'],
  [{ text: 7 }, 'text must be a text'],
  [{ text: 'a' }, 'text must have at least 2 characters'],
  [{ text: 'abcdef' }, 'text must have at most 5 characters'],
  [{ flag: 'yes' }, 'flag must be true or false'],
  [{ count: 'x' }, 'count must be a number'],
  [{ count: 10 }, 'count must be at most 9'],
  [{ ids: [] }, 'ids must not be empty'],
  [{ ids: [1] }, 'ids.0 must be a text'],
  [{ status: 'deleted' }, 'status must be visible or hidden'],
  [{ inner: {} }, 'Invalid id'],
])('a refusal of %j is a sentence, unless its schema has a message', (value, sentence) => {
  expect(first(Body, value)).toBe(sentence)
})

it('a refusal of unknown fields quotes 200 characters', () => {
  expect(first(Strict, { ['b'.repeat(1_000_000)]: 1 })).toBe(`The body has an unknown field: ${'b'.repeat(200)}…`)
})
