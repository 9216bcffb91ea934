import { readdir } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { FUNCTIONS_FOLDER, type LoadedFunction, loadFunctions } from '../../lib/web/http/load-functions.ts'
import { useService } from '../support/service/start-service.ts'
import { type Operation, operationsOf, resolveRef } from '../support/tools/openapi-document.ts'

const service = await useService({ env: { PUBLIC_URL: 'https://api.example.com/hall' } })
const functions: LoadedFunction[] = await loadFunctions()
const text = await (await fetch(`${service.baseUrl}/openapi.json`)).text()
const document = JSON.parse(text)

function operationOf(method: string, path: string): Operation {
  const operation = document.paths[path]?.[method]
  if (operation === undefined) throw new Error(`${method} ${path} is not described`)
  return operation
}

const operations = () => operationsOf(document).map(({ operation, ...at }) => ({ ...at, ...operation }))

test('200: the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()

  expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('200: each reference has its component, and each component a reference', () => {
  const references = new Set(
    Array.from(text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g), ([, a, b]) => `${a}/${b}`),
  )
  const components = Object.entries<object>(document.components).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `${kind}/${name}`),
  )

  expect(text.match(/"\$ref":"(?!#\/components\/)/g)).toBeNull()
  expect([...references].filter((reference) => !components.includes(reference))).toEqual([])
  expect(
    components.filter((component) => !component.startsWith('securitySchemes/') && !references.has(component)),
  ).toEqual([])
})

test('200: the servers are the path and the public address', () => {
  expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(['/hall', 'https://api.example.com/hall'])
})

test('200: the operations are the files of the tree', async () => {
  const entries = await readdir(FUNCTIONS_FOLDER, { recursive: true })
  const files = entries.filter((entry) => entry.endsWith('.js'))
  const described = operations().map(({ method, path }) => `${path.slice(1)}.${method}.js`)

  expect(described.sort()).toEqual(files.map((file) => file.replace(/\[(\w+)\]/g, '{$1}')).sort())
})

test('200: each operation has an id of its own and the summary of its file', () => {
  const ids = operations().map(({ operationId }) => operationId)

  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^(get|post|put|patch|delete)[A-Z]\w+$/.test(id))).toEqual([])
  expect(operationOf('put', '/comments/{id}/like')).toMatchObject({
    operationId: 'putCommentsByIdLike',
    summary: "Like another user's visible comment; a repeat changes nothing",
    tags: ['comments'],
  })
  expect(operationOf('get', '/healthz').tags).toEqual(['service'])
  for (const { path, summary } of operations()) expect(summary, path).toMatch(/^[A-Z].*[^.]$/)
})

test('200: each operation names its session or the scope of its service key', () => {
  const expected = {
    public: [],
    optional: [{}, { cookieAuth: [] }],
    user: [{ cookieAuth: [] }],
    admin: [{ cookieAuth: [] }],
    key: [],
  }
  for (const { method, path, definition } of functions) {
    const { security } = operationOf(method.toLowerCase(), path.replace(/:(\w+)/g, '{$1}'))
    const wanted = ['/metrics', '/console/probe'].includes(path) ? [{}, { bearerAuth: [] }] : expected[definition.auth]
    const { scope } = definition
    expect(security, path).toEqual([...wanted, ...(scope ? [{ serviceKey: [scope] }] : [])])
  }
  expect(document.components.securitySchemes.cookieAuth).toMatchObject({
    type: 'apiKey',
    in: 'cookie',
    name: 'accessSessionToken',
  })
})

test('200: an operation that sends an event takes x-socket-id', () => {
  const announced = operations().filter(({ parameters }) =>
    parameters.some((part) => resolveRef(document, part).name === 'x-socket-id'),
  )

  expect(announced.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'delete /comments/{id}',
    'delete /comments/{id}/like',
    'patch /comments/{id}',
    'patch /comments/{id}/status',
    'post /comments',
    'post /reports/{commentId}/decision',
    'put /comments/{id}/like',
  ])
})

test('200: each operation names its answer and every refusal', () => {
  const statusesOf = (method: string, path: string) => Object.keys(operationOf(method, path).responses).map(Number)

  expect(statusesOf('post', '/comments')).toEqual([201, 400, 401, 403, 404, 409, 413, 415, 429, 431, 500, 503])
  expect(statusesOf('get', '/comments/reported')).toEqual([200, 400, 401, 403, 431, 500, 503])
  expect(statusesOf('get', '/games/{gameId}/comments')).toEqual([200, 400, 404, 431, 500, 503])
  expect(statusesOf('get', '/metrics')).toEqual([200, 401, 431, 500, 503])
  expect(statusesOf('get', '/files/{folder}/{entityId}/{objectId}')).toEqual([
    200, 206, 304, 400, 404, 416, 431, 500, 503,
  ])
  expect(statusesOf('post', '/auth/logout')).toEqual([200, 403, 413, 429, 431, 500, 503])
  expect(operations().filter(({ responses }) => !('431' in responses))).toEqual([])
  expect(document.components.responses.TooManyRequests?.headers).toHaveProperty('Retry-After')
  expect(operationOf('post', '/comments')).toMatchObject({
    requestBody: {
      description: 'At most 64 KB.',
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateCommentBody' } } },
    },
    responses: {
      201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Comment' } } } },
      404: { $ref: '#/components/responses/NotFound' },
    },
  })
  const asset = resolveRef(document, operationOf('get', '/docs/{asset}').responses[200] ?? { $ref: '' })
  expect(Object.keys(asset.content)).toEqual(['text/css', 'text/javascript'])
})
