import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { serveLocally } from '../processes/listen-locally.ts'
import { createGate } from '../tools/gate.ts'

export interface StandInRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
  /** `performance.now()` when it arrived. */
  at: number
  /** The number of open requests then, this one included. */
  open: number
}

/** A body is text, a stream, or anything else as JSON. */
export interface StandInAnswer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

/** A number is a status. `garbage` is a 200 of another form, `half` a 200 whose connection is cut in the middle of the body. */
type FailMode = number | 'garbage' | 'half' | 'silence' | StandInAnswer

export type StandInServer = Awaited<ReturnType<typeof startStandInServer>>

const HALF = { 'content-type': 'application/json', 'content-length': '1000' }

async function readRequest(incoming: IncomingMessage, open: number): Promise<StandInRequest> {
  const at = performance.now()
  const url = new URL(incoming.url ?? '/', 'http://stand-in')
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)

  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    at,
    open,
  }
}

function writeAnswer(response: ServerResponse, { status = 200, headers, body = '' }: StandInAnswer): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  if (body instanceof Readable) pipeline(body, response, () => undefined)
  else response.end(isText ? body : JSON.stringify(body))
}

function writeFailure(response: ServerResponse, mode: FailMode): void {
  if (typeof mode === 'object') writeAnswer(response, mode)
  else if (typeof mode === 'number') writeAnswer(response, { status: mode, body: `<html>${mode}</html>` })
  else if (mode === 'garbage') writeAnswer(response, { body: '<html>maintenance</html>' })
  else if (mode === 'half')
    response.writeHead(200, HALF).write('[{"id":', () => {
      response.destroy()
    })
}

/** Serves a source on a free port. `answer` answers a request unless `fail` says otherwise. */
export async function startStandInServer(answer: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>) {
  const requests: StandInRequest[] = []
  let failures: { mode: FailMode; left: number; only: (request: StandInRequest) => boolean }[] = []
  let gate: Promise<void> = Promise.resolve()
  let openNow = 0
  let mostOpen = 0

  function takeFailure(request: StandInRequest): FailMode | undefined {
    const failure = failures.find(({ left, only }) => left > 0 && only(request))
    if (failure !== undefined) failure.left -= 1
    return failure?.mode
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    openNow += 1
    mostOpen = Math.max(mostOpen, openNow)
    let isOpen = true
    const end = () => {
      openNow -= isOpen ? 1 : 0
      isOpen = false
    }
    response.once('close', end)
    const request = await readRequest(incoming, openNow)
    requests.push(request)

    await gate
    const mode = takeFailure(request)
    const answered = mode === undefined ? await answer(request) : undefined
    // The request counts as ended before its answer, because the client may send the next one after it.
    if (mode !== 'silence') end()
    if (answered !== undefined) writeAnswer(response, answered)
    else if (mode !== undefined) writeFailure(response, mode)
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  })

  const { baseUrl: url, close } = await serveLocally(server)
  return {
    url,
    close,
    requests,
    open: () => openNow,
    mostOpen: () => mostOpen,
    /** Fails the next `times` requests that `only` names, all of them when left out. */
    fail(mode: FailMode, times = Number.POSITIVE_INFINITY, only: (request: StandInRequest) => boolean = () => true) {
      failures.push({ mode, left: times, only })
    },
    heal() {
      failures = []
    },
    /** Heals, and forgets earlier requests. */
    reset() {
      failures = []
      requests.length = 0
    },
    /** Holds every answer until the returned function is called. */
    hold() {
      const { opened, open } = createGate()
      gate = opened
      return open
    },
  }
}
