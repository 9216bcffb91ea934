import { expect, test } from 'vitest'
import { readSource } from '../../../lib/http/read-source.ts'

test('the sentence above the definition is the summary, without its full stop', () => {
  const { summary, remark } = readSource(
    '/** Like a comment; a repeat changes nothing. */\nexport default defineFunction({',
  )

  expect(summary).toBe('Like a comment; a repeat changes nothing')
  expect(remark).toBeUndefined()
})

test('what follows the sentence is the remark, over as many lines as it takes', () => {
  const source = `
/** A helper of the file. */
const helper = 1

/**
 * Begin a session.
 * A wrong address and a wrong
 * password look the same.
 */
export default defineContent({`

  expect(readSource(source)).toMatchObject({
    summary: 'Begin a session',
    remark: 'A wrong address and a wrong password look the same.',
  })
})

test('a comment elsewhere is not the sentence', () => {
  const source = '/** Something else. */\nconst a = 1\n\nexport default defineFunction({'

  expect(readSource(source).summary).toBeUndefined()
})

test('tells what the handler takes of its call', () => {
  const taken = (source: string) => [...readSource(source).takes]

  expect(taken('  async handle({ params, socketId, deps }) {')).toEqual(['params', 'socketId', 'deps'])
  expect(taken('  async handle({\n    body,\n    bearerToken,\n  }) {')).toEqual(['body', 'bearerToken'])
  expect(taken('  handle: ({ params, user }) => readThing(params, user),')).toEqual(['params', 'user'])
  expect(taken('  handle: async ({ user }) => readThing(user),')).toEqual(['user'])
  expect(taken('  async handle() {')).toEqual([])
})
