import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { LimitName } from '../../lib/infrastructure/limits/rate-limits.ts'
import type { Caller, CallOptions } from '../support/clients/caller.ts'
import { insertComment, insertConflict, insertGame, insertRequest } from '../support/rows/rows.ts'
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
const ODD_IDS = ['malformed', 'a%2Fb', '%zz', '%00']
/** Endpoints that need what no schema has: a password, a token, a service key, an asset's digest, a character. */
const NEED_MORE = [
  'delete /auth/sessions/{id}',
  'delete /user/{id}',
  'delete /users/{id}',
  'delete /users/{id}/hide-comments/{actId}',
  'get /characters/{idOrSlug}',
  'get /docs/{asset}',
  'get /console/probe',
  'get /console/{asset}',
  'get /files/{folder}/{entityId}/{objectId}',
  'patch /user/{id}',
  'post /auth/login',
  'post /auth/first-admin',
  'post /auth/refresh-token',
  'post /auth/reset',
  'post /reports/{commentId}/decision',
  'post /entries',
  'post /requests',
  'post /sync/{source}',
  'put /auth/password',
]

const { functions, document } = await loadDocument()

let ids: string[]

const service = await useService({ env: { COMMENTS_PER_MINUTE: '2000', COMMENT_CHANGES_PER_MINUTE: '2000' } })
const gameId = await insertGame(service.db, { name: 'Lantern Keep', slug: 'lantern-keep' })
const user = await service.caller()
const admin = await service.caller({ isAdmin: true })
beforeEach(async () => {
  const authors = [user, admin].map((author) => author.user?._id ?? gameId)
  const comments = await Promise.all(authors.map((userId) => insertComment(service.db, { gameId, userId })))
  await service.db.conflicts.deleteMany({})
  const candidates = [{ gameId, slug: 'lantern-keep', name: 'Lantern Keep', score: 1 }]
  await insertConflict(service.db, { source: 'vndb', externalId: gameId.toHexString(), candidates })
  await insertConflict(service.db, { source: 'vndb', externalId: user.id, status: 'absent' })
  await insertConflict(service.db, { source: 'vndb', externalId: admin.id })
  const requests = await Promise.all(authors.map((userId) => insertRequest(service.db, { userId })))
  const stored = [...comments, gameId, ...requests.map(({ _id }) => _id)]
  ids = [...stored.map(String), user.id, admin.id, UNKNOWN]
})

const sampleOf = (schema: Schema, { isFull }: { isFull: boolean }) =>
  sampleOfSchema(document, schema, { isFull, id: gameId.toHexString() })

function queriesOf({ parameters }: Operation): string[] {
  const fields = parameters.map((part) => resolveRef(document, part)).filter((parameter) => parameter.in === 'query')
  const valid = fields.map(({ name, schema }) => `${name}=${sampleOf(schema, { isFull: true })}`).join('&')
  return ['', ...(valid === '' ? [] : [`?${valid}`]), ...fields.map(({ name }) => `?${name}=%00`)]
}

function bodiesOf(method: string, operation: Operation): CallOptions[] {
  const schema = bodySchemaOf(operation)
  if (schema === undefined) return method === 'get' ? [{}] : [{}, { body: { unasked: true } }]
  return [
    { body: {} },
    { body: [] },
    { body: '{' },
    { body: 'text', headers: { 'content-type': 'text/plain' } },
    {},
    { body: sampleOf(schema, { isFull: false }) },
    { body: sampleOf(schema, { isFull: true }) },
  ]
}

/** The checkers by the text of their schema, because most answers refer to one of a few. */
const compiled = new Map<string, z.ZodType>()

function schemaOf(schema: Schema): z.ZodType {
  const text = JSON.stringify(schema)
  const earlier = compiled.get(text)
  if (earlier !== undefined) return earlier
  const whole = JSON.stringify({ ...schema, $defs: document.components.schemas })
  const checker = z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')))
  compiled.set(text, checker)
  return checker
}

describe.each(operationsOf(document))('$name', ({ name, method, path, operation }) => {
  const schemas = new Map(
    Object.entries(operation.responses).map(([status, response]) => {
      const { content } = resolveRef(document, response)
      return [status, new Map(Object.entries(content).map(([type, { schema }]) => [type, schema && schemaOf(schema)]))]
    }),
  )

  test('answers what is documented, whatever is sent', async () => {
    // The ids in paths are those of this source.
    const withSource = path.replace('{source}', 'vndb')
    const toPaths = (values: readonly string[]) =>
      path.includes('{') ? values.map((id) => withSource.replace(/\{\w+\}/g, id)) : [path]
    const [plain = '', ...queries] = queriesOf(operation)
    const { security } = operation
    const isForAll = security.length === 0 || security.some((schemes) => Object.keys(schemes).length === 0)
    const bodies = bodiesOf(method, operation)
    const valid = toPaths(ids)
    const requests = [
      // A guest is refused before the id and the body are read, unless the endpoint is for all.
      ...valid
        .slice(0, isForAll ? undefined : 1)
        .flatMap((to) => bodies.slice(-1).map((options) => ({ to: to + plain, options, caller: service.guest }))),
      // A body that no schema takes is refused whatever the id.
      ...valid.flatMap((to, index) =>
        [user, admin].flatMap((caller) =>
          bodies.slice(index === 0 ? 0 : -2).map((options) => ({ to: to + plain, options, caller })),
        ),
      ),
      ...valid.flatMap((to) =>
        queries.flatMap((query) => bodies.slice(-1).map((options) => ({ to: to + query, options, caller: admin }))),
      ),
      ...[path, ...toPaths(ODD_IDS)].flatMap((to) =>
        bodies.slice(-1).map((options) => ({ to: to.replace(/\{\w+\}/g, 'x'), options, caller: admin })),
      ),
    ]
    const seen = new Set<number>()
    const undocumented: string[] = []

    for (const { to, options, caller } of requests) {
      const { status, headers, body } = await callOf(caller, method)(to, options)
      const type = headers.get('content-type')?.split(';')[0] ?? ''
      const documented = schemas.get(String(status))
      const issues = documented?.get(type)?.safeParse(body).error?.issues
      seen.add(status)

      const isAsDocumented =
        status < 500 &&
        documented?.has(type) === true &&
        issues === undefined &&
        /^[\w-]+$/.test(headers.get('x-request-id') ?? '') &&
        (status !== 429 || /^[1-9]\d*$/.test(headers.get('retry-after') ?? ''))
      if (isAsDocumented) continue
      const answer = { status, issues, headers: [...headers], body: JSON.stringify(body).slice(0, 300) }
      undocumented.push(`${method} ${to} ${JSON.stringify(options)}: ${JSON.stringify(answer)}`)
    }
    expect(undocumented.slice(0, 5)).toEqual([])
    expect(
      [...seen].some((status) => status < 400),
      `only ${[...seen]}: add it to NEED_MORE where no sample can satisfy it, such as a real id in the body`,
    ).toBe(!NEED_MORE.includes(name))
  })
})

const limits = new Map<string, LimitName>(
  functions.flatMap(({ method, path, definition: { limit } }) =>
    limit === undefined ? [] : [[`${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`, limit] as const],
  ),
)

describe.each(operationsOf(document).filter(({ name }) => limits.has(name) && !NEED_MORE.includes(name)))(
  '$name',
  ({ name, method, path, operation }) => {
    test('429 with Retry-After once the limit that it names is used up, for that user alone', async () => {
      const limit = limits.get(name) ?? 'commentChanges'
      const spender = await service.caller({ isAdmin: true })
      const other = await service.caller({ isAdmin: true })
      const ask = (caller: Caller) => {
        const schema = bodySchemaOf(operation)
        const [query = ''] = queriesOf(operation).slice(1)
        const to = path.replace(/\{\w+\}/g, caller.id) + query
        return callOf(caller, method)(to, schema && { body: sampleOf(schema, { isFull: true }) })
      }
      const exhaust = async () => {
        for (;;) await service.deps.limits[limit].consume(spender.id)
      }
      await expect(exhaust()).rejects.toMatchObject({ code: 'RATE_LIMITED' })

      const refused = await ask(spender)
      expect(refused).toMatchObject({ status: 429, body: { statusCode: 429, error: 'Too Many Requests' } })
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect(operation.responses).toHaveProperty('429')
      expect((await ask(other)).status).not.toBe(429)
    })
  },
)
