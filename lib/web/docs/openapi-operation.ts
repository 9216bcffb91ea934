import { STATUS_CODES } from 'node:http'
import { REFUSAL_STATUSES } from '../../contract/endpoint.ts'
import { BODY_MAX_BYTES } from '../../contract/limits.ts'
import { type FunctionDefinition, isBodyOptional } from '../http/define-function.ts'
import type { LoadedFunction } from '../http/load-functions.ts'
import type { JsonObject, SchemaBook } from './schema-book.ts'

/** First segments of paths that serve operators and readers of the documentation. */
const SERVICE = new Set(['asyncapi.json', 'client.tgz', 'docs', 'healthz', 'metrics', 'openapi.json', 'readyz'])

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** The name of a refusal's description, as `NotFound`. */
export const responseName = (status: number) => (STATUS_CODES[status] ?? String(status)).replace(/[^a-z]/gi, '')

/** Returns the first segment of the path, or `service` for operators' endpoints. */
export const toTag = ({ path }: LoadedFunction) => {
  const first = path.split('/')[1] ?? ''
  return SERVICE.has(first) ? 'service' : first
}

/** `comments/[id]/like.put.ts` is `putCommentsByIdLike`. */
function toOperationId({ method, path }: LoadedFunction): string {
  const words = path
    .split(/[/.-]/)
    .map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word)))
  return method.toLowerCase() + words.join('')
}

const hasSession = (auth: FunctionDefinition['auth']) => auth !== 'public' && auth !== 'key'

function describeRefusals({ method, path, definition }: LoadedFunction): number[] {
  const { auth, scope, limit, params, query, body, errors } = definition
  const isChange = method !== 'GET'

  return [
    ...(params || query || body ? [400] : []),
    ...(auth === 'user' || auth === 'admin' || auth === 'key' ? [401] : []),
    ...(auth === 'admin' || auth === 'key' || isChange ? [403] : []),
    ...(path.includes(':') ? [404] : []),
    ...(isChange && hasSession(auth) ? [409] : []),
    ...(isChange ? [413, 429] : []),
    ...(body ? [415] : []),
    ...(limit || scope ? [429] : []),
    ...errors.map((code) => REFUSAL_STATUSES[code]),
    431,
    500,
    503,
  ]
}

function describeSuccess({ definition: { response, content = [] } }: LoadedFunction, book: SchemaBook): JsonObject {
  if (response !== undefined) return { 'application/json': { schema: book.output(response) } }

  return Object.fromEntries(
    content.map((type) => {
      if (type === 'application/json') return [type, { schema: { type: 'object' } }]
      return [type, type.startsWith('text/') ? { schema: { type: 'string' } } : {}]
    }),
  )
}

const splitParts = (loaded: LoadedFunction, book: SchemaBook): JsonObject => ({
  206: { description: 'The bytes that `Range` requests.', content: describeSuccess(loaded, book) },
  304: { description: 'Unchanged since the version in `If-None-Match`.', content: {} },
})

function describeParameters(
  { method, path, definition: { auth, excludesSender, params, query } }: LoadedFunction,
  book: SchemaBook,
): JsonObject[] {
  const inPath = new Map(params && book.fields(params).map(({ name, schema }) => [name, schema]))

  return [
    ...Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => {
      return { name, in: 'path', required: true, schema: inPath.get(name) ?? { type: 'string' } }
    }),
    ...(query ? book.fields(query).map(({ name, ...field }) => ({ name, in: 'query', ...field })) : []),
    ...(excludesSender ? [{ $ref: '#/components/parameters/SocketId' }] : []),
    ...(method !== 'GET' && hasSession(auth) ? [{ $ref: '#/components/parameters/ViewerId' }] : []),
    { $ref: '#/components/parameters/RequestId' },
  ]
}

function describeSecurity({ definition: { takesBearer, auth, scope } }: LoadedFunction): JsonObject[] {
  if (takesBearer) return [{}, { bearerAuth: [] }]
  return [
    ...(auth === 'optional' ? [{}] : []),
    ...(hasSession(auth) ? [{ cookieAuth: [] }] : []),
    ...(scope === undefined ? [] : [{ serviceKey: [scope] }]),
  ]
}

function describeBody({ body, maxBodyBytes = BODY_MAX_BYTES.usual }: FunctionDefinition, book: SchemaBook): JsonObject {
  if (body === undefined) return {}
  const content = { 'application/json': { schema: book.input(body) } }
  const description = `At most ${maxBodyBytes / 1024} KB.`
  return { requestBody: { description, required: !isBodyOptional(body), content } }
}

export function describeOperation(loaded: LoadedFunction, book: SchemaBook): JsonObject {
  const { summary, description: details, errors, status = 200, auth, scope, suspended } = loaded.definition
  const callers = [auth === 'admin' ? 'admins' : '', scope ? `service keys with scope \`${scope}\`` : '']
  const audience = callers.filter(Boolean).join(' and ')
  const refusal = loaded.method !== 'GET' && auth === 'user' && !suspended && 'Refused to suspended users.'
  const description = [audience && `For ${audience}.`, details, refusal].filter(Boolean).join(' ')
  const refusals = [...new Set(describeRefusals(loaded))].sort((a, b) => a - b)

  return {
    operationId: toOperationId(loaded),
    tags: [toTag(loaded)],
    summary,
    ...(description !== '' && { description }),
    security: describeSecurity(loaded),
    parameters: describeParameters(loaded, book),
    ...describeBody(loaded.definition, book),
    responses: {
      [status]: {
        description: STATUS_CODES[status],
        headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
        content: describeSuccess(loaded, book),
      },
      ...(errors.includes('RANGE_NOT_SATISFIABLE') && splitParts(loaded, book)),
      ...Object.fromEntries(
        refusals.map((refusal) => [refusal, { $ref: `#/components/responses/${responseName(refusal)}` }]),
      ),
    },
  }
}
