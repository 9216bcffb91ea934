import { describe, expect, test } from 'vitest'
import { createKey } from '#lib/domain/service-keys/create-key'
import { KEY_SCOPES } from '#lib/infrastructure/db/collections/service-keys'
import type { Caller } from '../support/clients/caller.ts'
import { useService } from '../support/service/start-service.ts'
import {
  bodySchemaOf,
  callOf,
  loadDocument,
  type Operation,
  operationsOf,
  resolveRef,
  type Schema,
  sampleOfSchema,
} from '../support/tools/openapi-document.ts'

const UNKNOWN = 'abcdefabcdefabcdefabcdef'
/** Endpoints whose 404 depends on more than an id: a conflict's source, a file, an owner. */
const KNOWN_OTHERWISE =
  /(delete|patch) \/user\/\{id\}|export|sessions|\{source\}|\{folder\}|\{asset\}|logout|presets|notifications|\/games\/\{gameId\}\/comments|by-game/

const { document } = await loadDocument()
const sampleOf = (schema: Schema, isFull = true) => sampleOfSchema(document, schema, { isFull, id: UNKNOWN })

function beyond(schema: Schema): unknown[] {
  const { type, enum: values, pattern = '', anyOf, ...bounds } = resolveRef(document, schema)
  if (values) return ['another']
  if (anyOf || type === undefined) return []
  if (type === 'integer') return [(bounds.minimum ?? 1) - 1, (bounds.maximum ?? 0) + 1, 'x', 1.5]
  if (type !== 'string') return ['x']
  return [
    ...(pattern.includes('{24}') ? ['malformed', `${UNKNOWN}0`] : []),
    ...(bounds.maxLength !== undefined && bounds.maxLength < 10_000 ? ['x'.repeat(bounds.maxLength + 1)] : []),
    ...(bounds.minLength ? [''] : []),
  ]
}

const parametersOf = ({ parameters }: Operation) =>
  parameters.map((part) => resolveRef(document, part)).filter((parameter) => parameter.in !== 'header')

interface Attempt {
  /** The field that is wrong. */
  wrong: string
  values: Record<string, unknown>
  body: unknown
}

function listAttempts(operation: Operation): Attempt[] {
  const schema = bodySchemaOf(operation)
  const fields = parametersOf(operation)
  const values = Object.fromEntries(fields.map(({ name, schema }) => [name, sampleOf(schema)]))
  const body = schema && sampleOf(schema, false)
  const { properties = {}, required = [] } = schema ? resolveRef(document, schema) : {}
  return [
    ...fields.flatMap((field) =>
      beyond(field.schema)
        // An empty segment is another path.
        .filter((value) => field.in === 'query' || value !== '')
        .map((value) => ({ wrong: field.name, values: { ...values, [field.name]: value }, body })),
    ),
    ...Object.entries(properties).flatMap(([wrong, field]) =>
      [...beyond(field), { $gt: '' }].map((value) => ({ wrong, values, body: { ...Object(body), [wrong]: value } })),
    ),
    ...required.map((wrong) => ({ wrong, values, body: { ...Object(body), [wrong]: undefined } })),
  ]
}

const service = await useService({ env: { COMMENTS_PER_MINUTE: '2000', COMMENT_CHANGES_PER_MINUTE: '2000' } })
/** The key for endpoints that take service keys alone. */
const key = await createKey(service.deps, { name: 'refusals', scopes: [...KEY_SCOPES] })

function send(admin: Caller, path: string, method: string, { values, body }: Pick<Attempt, 'values' | 'body'>) {
  const query = Object.entries(values).filter(([name]) => !path.includes(`{${name}}`))
  const to = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)]))
  return callOf(admin, method)(`${to}${query.length > 0 ? `?${search}` : ''}`, {
    body,
    headers: { authorization: `Bearer ${key}` },
  })
}

describe.each(operationsOf(document).filter(({ operation }) => listAttempts(operation).length > 0))(
  '$name',
  ({ method, path, operation }) => {
    test('400 that names the field for a value beyond what is documented', async () => {
      // Refused bodies of one user are limited.
      const admin = await service.caller({ isAdmin: true })
      for (const attempt of listAttempts(operation)) {
        const { status, body } = await send(admin, path, method, attempt)
        const what = `${attempt.wrong}: ${JSON.stringify(attempt).slice(0, 300)}: ${JSON.stringify(body)}`
        expect(status, what).toBe(400)
        // A comment without a text is refused by its verb, which names no field.
        const [issue = { path: attempt.wrong, message: body.message }] = body.issues ?? []
        expect(issue.path.split('.')[0], what).toBe(attempt.wrong)
        expect(body.message, what).toBe(issue.message)
      }
    })
  },
)

const withIds = operationsOf(document).filter(
  ({ name, path, operation }) => /\{\w+\}/.test(path) && !KNOWN_OTHERWISE.test(name) && '404' in operation.responses,
)

test.each(withIds)('404 for an unknown id: $name', async ({ method, path, operation }) => {
  const schema = bodySchemaOf(operation)
  const values = Object.fromEntries(parametersOf(operation).map(({ name, schema }) => [name, sampleOf(schema)]))
  const body = schema && sampleOf(schema, resolveRef(document, schema).required === undefined)
  const admin = await service.caller({ isAdmin: true })
  expect((await send(admin, path, method, { values, body })).status).toBe(404)
})
