import { ErrorBody } from '../../contract/errors.ts'
import { ACCESS_COOKIE } from '../../domain/auth/session-user.ts'
import { VIEWER_HEADER } from '../http/guards.ts'
import type { LoadedFunction } from '../http/load-functions.ts'
import { describeOperation, responseName, toTag } from './openapi-operation.ts'
import { createSchemaBook, type JsonObject, type SchemaBook } from './schema-book.ts'

interface OpenApiOptions {
  functions: readonly LoadedFunction[]
  publicUrl: string
  version: string
}

const REFUSALS: Record<number, string> = {
  400: 'The input does not fit: `message` is the first problem, `issues` names them all.',
  401: 'No session, a bad one, or one of a deleted user.',
  403: 'The role is missing, the thing is not yours, or the request came from a foreign site.',
  404: 'There is no such thing.',
  409: 'The present state does not allow it; `duplicates` names what a new entry may be the same as. Or the session is another than that of `x-viewer-id`.',
  413: 'The body has more bytes than this endpoint takes, 16 KB where it reads none.',
  415: 'The body is not sent as JSON.',
  416: 'The file has no such bytes.',
  429: 'Too many requests: try again after `Retry-After` seconds.',
  431: 'The address and the headers together have more than 32 KB.',
  500: 'A fault of the service; `requestId` finds it in the log.',
  502: 'An outside source that was needed gave nothing.',
  503: 'Not at the moment: the database or the storage cannot be reached, too much waits for its turn, or this instance stops.',
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined

function describeComponents(book: SchemaBook): JsonObject {
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
      RequestId: { description: 'Names the request, in the log too.', schema: { type: 'string' } },
      RetryAfter: {
        description: 'Seconds until another attempt makes sense.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
    parameters: {
      RequestId: {
        name: 'x-request-id',
        in: 'header',
        description: 'Names the request; one that is not 1 to 128 letters, digits, `.`, `:`, `_` or `-` is replaced.',
        schema: { type: 'string' },
      },
      SocketId: {
        name: 'x-socket-id',
        in: 'header',
        description: "The id of the sender's `/comments` socket, which is left out of the announcement.",
        schema: { type: 'string' },
      },
      ViewerId: {
        name: VIEWER_HEADER,
        in: 'header',
        description: 'The id of the user whom the page shows; a change under the session of another is refused.',
        schema: { type: 'string' },
      },
    },
    securitySchemes: {
      cookieAuth: { type: 'apiKey', in: 'cookie', name: ACCESS_COOKIE, description: '`POST /auth/login` sets it.' },
      bearerAuth: { type: 'http', scheme: 'bearer', description: '`METRICS_TOKEN`, where the installation sets one.' },
    },
  }
}

/** Describes every function as an OpenAPI 3.1 document, from the same data that the router runs. */
export function buildOpenApi({ functions, publicUrl, version }: OpenApiOptions): JsonObject {
  const definitions = functions.map(({ definition }) => definition)
  const book = createSchemaBook({
    inputs: definitions.flatMap(({ params, query, body }) => [params, query, body]).filter(isDefined),
    outputs: [ErrorBody, ...definitions.map(({ response }) => response).filter(isDefined)],
    dialect: 'draft-2020-12',
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
      version,
      description:
        'The live side of a video-game catalogue. Ids are 24 hexadecimal characters, dates ISO 8601 in UTC. ' +
        'What changes is announced over Socket.IO: see the AsyncAPI document.',
    },
    servers: [
      { url: new URL(publicUrl).pathname, description: 'Where this document was read' },
      { url: publicUrl, description: 'The public address' },
    ],
    tags: tags.map((name) => ({ name })),
    paths,
    components: describeComponents(book),
  }
}
