import { ApiError, lostConnection, type Refusable, readApiError } from './api-error.ts'
import type { CookieJar } from './cookie-jar.ts'
import type { Answer, CallArguments, RefusalStatus, Route } from './routes.ts'

export interface WireRequest {
  route: string
  method: string
  url: URL
  headers: Record<string, string>
  body: string | undefined
  signal: AbortSignal | undefined
}

interface AnyInput {
  params?: Record<string, string | number>
  query?: Record<string, string | number | undefined>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  attempts?: number
}

export type Call = <R extends Route>(route: R, ...args: CallArguments<R>) => Refusable<Answer<R>, RefusalStatus<R>>

/** Temporary statuses; 0 is a lost connection. */
const PASSING = new Set([0, 429, 502, 503, 504])
const ATTEMPTS = 4
const FIRST_WAIT_MS = 300
const MAX_WAIT_MS = 30_000

export function toRequest(baseUrl: string, route: string, input: AnyInput = {}): WireRequest {
  const [method = '', path = ''] = route.split(' ')
  const { params = {}, query = {}, body, headers = {}, signal } = input
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
  const url = new URL(baseUrl.replace(/\/+$/, '') + filled)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return {
    route,
    method,
    url,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  }
}

export type Send = (request: WireRequest) => Promise<Response>

/** Creates the sender. A lost connection is thrown as an `ApiError` of status 0, an abort as an abort. */
export function createSend(fetch: typeof globalThis.fetch, cookies: CookieJar | undefined): Send {
  return async function send({ method, url, headers, body, signal }) {
    const cookie = cookies?.header(url.pathname)
    const response = await fetch(url.href, {
      method,
      credentials: 'include',
      headers: { ...headers, ...(cookie && { cookie }) },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw lostConnection(error)
    })
    cookies?.store(response.headers)
    return response
  }
}

function waitBefore(attempt: number, { retryAfter }: ApiError): number {
  if (retryAfter !== undefined) return retryAfter * 1_000 + Math.random() * FIRST_WAIT_MS
  return FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random())
}

const sleep = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

async function readAnswer(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (!isJson) return response
  const text = await response.text().catch((error: unknown) => {
    throw lostConnection(error)
  })
  return JSON.parse(text)
}

interface CallParts {
  baseUrl: string
  send: Send
  /** The user shown when a change was made, because another user may be signed in when the change is sent. */
  viewerId(): string | undefined
}

/** Creates `call`. A GET is retried on temporary statuses; a change only after a 401, which has done nothing. */
export function createCall({ baseUrl, send, viewerId }: CallParts): Call {
  async function attempt(request: WireRequest): Promise<unknown> {
    const response = await send(request)
    if (!response.ok) throw await readApiError(response)
    return await readAnswer(response)
  }

  async function callRoute(route: string, input: AnyInput | undefined): Promise<unknown> {
    const request = toRequest(baseUrl, route, input)
    const viewer = request.method === 'GET' ? undefined : viewerId()
    if (viewer !== undefined) request.headers = { 'x-viewer-id': viewer, ...request.headers }
    const attempts = request.method === 'GET' ? (input?.attempts ?? ATTEMPTS) : 1
    for (let n = 0; ; n += 1) {
      try {
        return await attempt(request)
      } catch (error) {
        if (n + 1 >= attempts || !(error instanceof ApiError) || !PASSING.has(error.status)) throw error
        const waitMs = waitBefore(n, error)
        if (waitMs > MAX_WAIT_MS) throw error
        await sleep(waitMs, request.signal)
      }
    }
  }

  // The type of the route gives input and answer; at run time all routes are sent alike.
  return ((route: string, input?: AnyInput) => callRoute(route, input)) as unknown as Call
}
