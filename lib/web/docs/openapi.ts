import type { Config } from '../../base/config.ts'
import { VERSION } from '../../base/version.ts'
import { ErrorBody } from '../../contract/errors.ts'
import { VIEWER_HEADER } from '../http/guards.ts'
import type { LoadedFunction } from '../http/load-functions.ts'
import { describeOperation, responseName, toTag } from './openapi-operation.ts'
import { createSchemaBook, type JsonObject, type SchemaBook } from './schema-book.ts'

export type DocumentedConfig = Pick<Config, 'publicUrl' | 'sessionCookie' | 'site' | 'socketPath'>

const REFUSALS: Record<number, string> = {
  400: 'The input is invalid: `message` is the first problem, `issues` lists all of them.',
  401: 'The session or the service key is missing or invalid, or its user was deleted.',
  403: 'The role or the scope is missing, the resource belongs to another user, or the request came from another site.',
  404: 'Not found.',
  409: 'The current state does not allow it; `duplicates` lists entries that a new one may duplicate. Or the session is not that of `x-viewer-id`.',
  413: 'The body is larger than this endpoint accepts. An endpoint that reads none accepts 16 KB, below `/auth` 4 KB.',
  415: 'The body is not sent as JSON.',
  416: 'The file does not have the requested bytes.',
  429: 'Too many requests: retry after `Retry-After` seconds.',
  431: 'The address and the headers together have more than 32 KB.',
  500: 'A fault of the service; search its log for the `requestId`.',
  502: 'An outside source did not deliver required data.',
  503: 'Temporarily unavailable: the database or the storage cannot be reached, too many requests are waiting, or this instance is stopping.',
}

function describeComponents(book: SchemaBook, { site, sessionCookie }: DocumentedConfig): JsonObject {
  const requestId = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }
  const content = { 'application/json': { schema: book.output(ErrorBody) } }

  return {
    schemas: book.components,
    responses: Object.fromEntries(
      Object.entries(REFUSALS).map(([status, description]) => [
        responseName(Number(status)),
        {
          description,
          headers: {
            ...requestId,
            ...(status === '429' && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
          },
          content,
        },
      ]),
    ),
    headers: {
      RequestId: { description: 'The id of the request, also in the log.', schema: { type: 'string' } },
      RetryAfter: {
        description: 'Seconds to wait before the next attempt.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
    parameters: {
      RequestId: {
        name: 'x-request-id',
        in: 'header',
        description: 'The id of the request: 1 to 128 letters, digits, `.`, `:`, `_` or `-`; any other is replaced.',
        schema: { type: 'string' },
      },
      SocketId: {
        name: 'x-socket-id',
        in: 'header',
        description: "The id of the sender's `/comments` socket, which does not receive the event.",
        schema: { type: 'string' },
      },
      ViewerId: {
        name: VIEWER_HEADER,
        in: 'header',
        description: 'The id of the user whom the page shows; a change in the session of another user is refused.',
        schema: { type: 'string' },
      },
    },
    securitySchemes: {
      cookieAuth: {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookie,
        description: site ? 'The site sets it.' : '`POST /auth/login` sets it.',
      },
      bearerAuth: { type: 'http', scheme: 'bearer', description: '`METRICS_TOKEN`, where the installation sets one.' },
      serviceKey: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'ghk_…',
        description: 'A key of `npm run key`, good for operations that name its scope. It opens no session.',
      },
    },
  }
}

/** Builds the OpenAPI 3.1 document of every function, from the data that the router runs. */
export function buildOpenApi(functions: readonly LoadedFunction[], config: DocumentedConfig): JsonObject {
  const { publicUrl } = config
  const schemas = functions.map(({ definition }) => definition)
  const book = createSchemaBook({
    inputs: schemas
      .flatMap(({ params, query, body }) => [params, query, body])
      .filter((schema) => schema !== undefined),
    outputs: [ErrorBody, ...schemas.map(({ response }) => response).filter((schema) => schema !== undefined)],
  })
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const loaded of functions) {
    const path = loaded.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [loaded.method.toLowerCase()]: describeOperation(loaded, book) }
  }
  const tags = [...new Set(functions.map(toTag))].sort((a, b) => Number(a === 'service') - Number(b === 'service'))

  return {
    openapi: '3.1.0',
    info: {
      title: 'gamehall',
      version: VERSION,
      description:
        'The live side of a video-game catalogue. Ids are 24 hexadecimal characters, dates ISO 8601 in UTC. ' +
        'Socket.IO announces every change: see the AsyncAPI document.',
    },
    servers: [
      { url: new URL(publicUrl).pathname, description: 'The origin of this document' },
      { url: publicUrl, description: 'The public address' },
    ],
    tags: tags.map((name) => ({ name })),
    paths,
    components: describeComponents(book, config),
  }
}
