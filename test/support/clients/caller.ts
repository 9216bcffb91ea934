import type { ObjectId } from 'mongodb'

export interface TestUser {
  _id: ObjectId
  userName: string
  /** The `Cookie` header of a session. */
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

/** Somebody who sends requests, with a session or without. */
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

export function createCaller({ baseUrl, user }: { baseUrl: string; user?: TestUser }): Caller {
  const call =
    (method: string): Call =>
    async (path, { body, headers = {}, socketId } = {}) => {
      const response = await fetch(baseUrl + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(user && { cookie: user.cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(socketId !== undefined && { 'x-socket-id': socketId }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      return {
        status: response.status,
        headers: response.headers,
        body: isJson && text !== '' ? JSON.parse(text) : text,
      }
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
