import type { ObjectId } from 'mongodb'
import { type Dispatcher, request } from 'undici'

export interface TestUser {
  _id: ObjectId
  userName: string
  cookie: string
}

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON body; null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the service answered and asserts on it.
  body: any
}

export interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
  socketId?: string | undefined
}

type Call = (path: string, options?: CallOptions) => Promise<Answer>

export interface Caller {
  user: TestUser | undefined
  /** The id of the user, for comparison with what the service answers. */
  id: string
  cookie: string
  get: Call
  post: Call
  put: Call
  patch: Call
  delete: Call
}

/** The ids of the rows that a list answered. */
export const idsOf = ({ body }: Pick<Answer, 'body'>): string[] => body.results.map(({ _id }: { _id: string }) => _id)

const toHeaders = (received: Dispatcher.ResponseData['headers']) =>
  new Headers(
    Object.entries(received).flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  )

export function createCaller({ baseUrl, user }: { baseUrl: string; user?: TestUser | undefined }): Caller {
  const call =
    (method: Dispatcher.HttpMethod): Call =>
    async (path, { body, headers = {}, socketId } = {}) => {
      // `fetch` takes five times the CPU time of this, and the tests send tens of thousands.
      const answer = await request(baseUrl + path, {
        method,
        headers: {
          ...(user && { cookie: user.cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(socketId !== undefined && { 'x-socket-id': socketId }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.body.text()
      const received = toHeaders(answer.headers)
      const isJson = received.get('content-type')?.includes('json') ?? false
      return { status: answer.statusCode, headers: received, body: isJson && text !== '' ? JSON.parse(text) : text }
    }

  return {
    user,
    id: user?._id.toHexString() ?? '',
    cookie: user?.cookie ?? '',
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
  }
}
