import assert from 'node:assert/strict'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import { keyedHash } from '../../base/system/keyed-hash.ts'
import { describeIssue } from '../../base/values/describe-issue.ts'
import { JsonBytes } from '../../base/values/json-bytes.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Actor } from '../../domain/auth/actor.ts'
import type { SessionUser } from '../../domain/auth/session-user.ts'
import { REQUEST_TIMEOUT_MS, TURN_MS } from '../../infrastructure/concurrency/timeouts.ts'
import { withTimeout } from '../../infrastructure/concurrency/with-timeout.ts'
import { isAnswerLost } from '../../infrastructure/db/is-database-unreachable.ts'
import { isLocalRequest } from './client-address.ts'
import type { FunctionDefinition } from './define-function.ts'
import type { FunctionDeps } from './function-deps.ts'
import { readBearerToken, refuseCrossSite, refuseSuspended, requireCaller } from './guards.ts'
import type { HttpEnv } from './http-env.ts'
import { isServed, type LoadedFunction } from './load-functions.ts'
import { measureDeps, measureTurns } from './measure-deps.ts'
import { parseJson } from './parse-json.ts'
import { createSessionCookies } from './session-cookies.ts'
import { chargeRefusal, createTakeBody } from './take-body.ts'
import { takeAnswerRoom } from './unread-answers.ts'

type Handler = MiddlewareHandler<HttpEnv>

const ROOM_RETRY_MS = 20
const SHORT_TEXT = 16 * 1024

function parsePart(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  throw new DomainError('INVALID', issues[0]?.message ?? 'Invalid input', { issues })
}

/** Reads a query: a name that occurs once is a text, a repeated one a list. */
const readQuery = (c: Context<HttpEnv>) =>
  Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )

function assertAnswer({ file, definition }: LoadedFunction, answer: unknown): void {
  if (definition.response === undefined) return
  const sent = JSON.parse(JSON.stringify(answer))
  assert.deepEqual(definition.response.parse(sent), sent, `${file} answers something else than its response schema`)
}

function assertDeclared({ file, definition }: LoadedFunction, error: unknown): void {
  if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') return
  const declared = [...definition.errors, ...(definition.limit ? ['RATE_LIMITED'] : [])]
  assert.ok(declared.includes(error.code), `${file} refuses with ${error.code}, which it does not declare`)
}

/** Returns the user of a definition with `limit`, whose types require `auth` to be `user` or `admin`. */
function signedInUser(c: Context<HttpEnv>): SessionUser {
  const user = c.get('user')
  assert.ok(user, 'a limit needs a signed-in user')
  return user
}

/** Hashes the e-mail address of a valid body, so that the log shows attempts on one account without the address. */
function setEmailHash(c: Context<HttpEnv>, body: unknown, secret: string): void {
  if (typeof body === 'object' && body !== null && 'email' in body && typeof body.email === 'string') {
    c.set('emailHash', keyedHash(secret, 'logged e-mail', body.email))
  }
}

/** Encodes a long text, because Node counts unread text in UTF-16 units. Node writes a short one together with the head. */
const encode = (text: string) => (text.length > SHORT_TEXT ? Buffer.from(text) : text)

/** Waits until the client's address has room for a large answer. @throws DomainError UNAVAILABLE at the deadline */
async function untilRoom(answer: HttpEnv['Bindings']['outgoing'], bytes: number, deadline: number): Promise<void> {
  while (!takeAnswerRoom(answer, bytes)) {
    if (performance.now() >= deadline) throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
    await sleep(ROOM_RETRY_MS)
  }
}

interface Input {
  params: unknown
  query: unknown
  body: unknown
}

export interface HandlerOptions {
  /** Compares every answer and refusal with the definition, and turns a mismatch into a 500. For tests, because it is slow. */
  areAnswersChecked: boolean
  timeoutMs?: number
}

/** Turns definitions into Hono handlers: session or service key, bytes of the body, params, query, body, `handle`, answer. */
export function createHandlerFactory(deps: FunctionDeps, options: HandlerOptions) {
  const { areAnswersChecked, timeoutMs: usualMs = REQUEST_TIMEOUT_MS } = options
  const { config } = deps
  const openCookies = createSessionCookies(config)
  const crossSite = refuseCrossSite(config.allowedOrigins)
  const takeBody = createTakeBody(deps)

  /** Creates the actor. `isGone` lets a queue drop work whose caller has left, or gets a refusal before the work ends. */
  const toActor = (c: Context<HttpEnv>, user: SessionUser, deadline: number): Actor => ({
    user,
    socketId: c.req.header('x-socket-id'),
    isGone: () => c.env.incoming.socket.destroyed || performance.now() > deadline - TURN_MS,
  })

  /** Runs `respond` once the answers to the caller's earlier serial requests have left this process. */
  function runInTurn(c: Context<HttpEnv>, maxWaitMs: number, respond: () => Promise<Response>): Promise<Response> {
    return new Promise((resolve, reject) => {
      const turn = async () => {
        resolve(await respond())
        await finished(c.env.outgoing).catch(() => undefined)
      }
      const queue = measureTurns(deps.queue, c.get('parts'))
      queue.run(`answers/${signedInUser(c)._id.toHexString()}`, turn, { maxWaitMs }).catch(reject)
    })
  }

  function reportLost(c: Context<HttpEnv>, begunAt: number, error: unknown): void {
    if (isAnswerLost(error) && c.req.method !== 'GET') deps.feed.answerLost(begunAt)
  }

  async function readInput(c: Context<HttpEnv>, { params, query, body }: FunctionDefinition): Promise<Input> {
    return {
      params: parsePart(params, c.req.param()),
      query: query && parsePart(query, readQuery(c)),
      body: body && (await chargeRefusal(deps, c, () => parsePart(body, parseJson(c.get('body'))))),
    }
  }

  function createCall(c: Context<HttpEnv>, input: Input, deadline: number) {
    setEmailHash(c, input.body, deps.jwtSecret)
    const user = c.get('user')
    return {
      ...input,
      actor: user && toActor(c, user, deadline),
      viewer: user,
      requestId: c.get('requestId'),
      address: c.get('address'),
      get isLocal() {
        return isLocalRequest(c.env.incoming)
      },
      get cookies() {
        return openCookies(c)
      },
      method: c.req.method,
      header: (name: string) => c.req.header(name),
      get bearerToken() {
        return readBearerToken(c)
      },
      deps: measureDeps(deps, c.get('parts')),
    }
  }

  function createRunFunction(loaded: LoadedFunction): Handler {
    const { definition } = loaded
    const { limit, isSerial, status = 200 } = definition

    async function handle(c: Context<HttpEnv>, input: Input, deadline: number): Promise<unknown> {
      const begunAt = performance.now()
      // `defineFunction` has checked that `handle` accepts what its schemas parse.
      const work = definition.handle(createCall(c, input, deadline) as never)
      return await withTimeout(deadline - begunAt, work).catch((error: unknown) => {
        reportLost(c, begunAt, error)
        // The work continues, and may lose the answer of a write that has not started yet.
        work.catch((late: unknown) => reportLost(c, begunAt, late))
        if (areAnswersChecked) assertDeclared(loaded, error)
        throw error
      })
    }

    async function respond(c: Context<HttpEnv>, input: Input, deadline: number): Promise<Response> {
      const answer = await handle(c, input, deadline)
      if (answer instanceof Response) return answer.body ? c.body(answer.body, answer) : c.body(null, answer)
      const isShared = answer instanceof JsonBytes
      if (areAnswersChecked) assertAnswer(loaded, isShared ? answer.value : answer)
      const json = isShared ? answer.bytes : encode(JSON.stringify(answer))
      if (isSerial) await untilRoom(c.env.outgoing, Buffer.byteLength(json), deadline)
      return c.body(json, status, { 'Content-Type': 'application/json' })
    }

    return async function runFunction(c) {
      // A program that hands over entries is no person.
      if (definition.scope === undefined) deps.pace.markServed()
      const input = await readInput(c, definition)
      if (limit !== undefined) await deps.limits[limit].consume(signedInUser(c)._id.toHexString())
      const timeoutMs = Math.max(definition.timeoutMs ?? 0, c.get('timeoutMs') ?? usualMs)
      const deadline = performance.now() + timeoutMs
      if (!isSerial) return await respond(c, input, deadline)
      return await runInTurn(c, timeoutMs - TURN_MS, () => respond(c, input, deadline))
    }
  }

  return function createHandlers(loaded: LoadedFunction): Handler[] {
    const { auth, suspended } = loaded.definition
    if (!isServed(config, loaded)) return [async (c) => c.notFound()]
    const isChange = loaded.method !== 'GET'

    return [
      ...(isChange ? [crossSite] : []),
      ...(auth === 'public' ? [] : [requireCaller(deps, loaded, usualMs)]),
      ...(isChange ? [takeBody(loaded.definition)] : []),
      ...(isChange && auth === 'user' && suspended === undefined ? [refuseSuspended(deps, usualMs)] : []),
      createRunFunction(loaded),
    ]
  }
}
