import { beforeEach, expect, test, vi } from 'vitest'
import { BODY_MAX_BYTES } from '../../lib/contract/limits.ts'
import { loadFunctions } from '../../lib/web/http/load-functions.ts'
import { useService } from '../support/service/start-service.ts'
import { listFields, listTexts } from '../support/tools/list-texts.ts'
import { callOf } from '../support/tools/openapi-document.ts'

const LONG = 100_000
const fill = (bytes: number, character: string) => character.repeat(bytes / Buffer.byteLength(character))
/** The ligature is 18 characters once it is normalised. */
const textsOf = (bytes: number) => ({
  marks: fill(bytes, '\u0301'),
  digits: fill(bytes, '7'),
  ligatures: fill(bytes, '\ufdfa'),
})
const LONG_TEXTS = textsOf(1024 * 1024 - 1_000)

const ID = '0'.repeat(24)
const functions = await loadFunctions()
const fields = listFields(functions)

/** Counting characters is one pass. */
const COUNTING = String(/[\uD800-\uDBFF]/)
/** The functions that read a long text although its length refuses it. A spy keeps each from its work of minutes. */
let looks: string[] = []

beforeEach(() => {
  looks = []
  for (const name of ['normalize', 'trim', 'toLowerCase'] as const) {
    const original: (this: string, form?: string) => string = String.prototype[name]
    vi.spyOn(String.prototype, name).mockImplementation(function (this: string, form) {
      if (this.length < LONG) return original.call(this, form)
      looks.push(name)
      return String(this)
    })
  }
  const { test: matches } = RegExp.prototype
  // Node tests header values that are numbers, too.
  vi.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, value: unknown) {
    const text = String(value)
    if (text.length < LONG || String(this) === COUNTING) return matches.call(this, text)
    looks.push(String(this))
    return true
  })
  return () => vi.restoreAllMocks()
})

test.each(fields)('a text of 1 MB is refused by its length alone: $path in the $name', ({ schema }) => {
  for (const [name, text] of Object.entries(LONG_TEXTS)) {
    expect(schema.safeParse(text).success, name).toBe(false)
  }
  expect(looks).toEqual([])
})

const service = await useService()

const bodyTexts = functions.flatMap(({ method, path, definition: { body, maxBodyBytes = BODY_MAX_BYTES.usual } }) =>
  body === undefined
    ? []
    : listTexts(body).map(({ path: field, fill: toBody }) => ({ method, path, maxBodyBytes, field, toBody })),
)

test.each(bodyTexts)(
  '400 for a text that fills the body of $method $path: $field',
  async ({ method, path, maxBodyBytes, field, toBody }) => {
    const admin = await service.caller({ isAdmin: true })
    const to = path.replace(':source', 'igdb').replace(/:\w+/g, ID)
    // A list refuses each of its members by itself.
    const refusal = path === '/entries' && field.startsWith('games') ? [200, 'refused'] : [400, 'Bad Request']
    for (const [name, text] of Object.entries(textsOf(maxBodyBytes - 1_000))) {
      const { status, body } = await callOf(admin, method)(to, { body: toBody(text) })
      expect([status, body.error ?? body.results[0].outcome], name).toEqual(refusal)
    }
    expect(looks).toEqual([])
  },
)
