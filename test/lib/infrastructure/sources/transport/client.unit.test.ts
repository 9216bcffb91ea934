import { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createSourceClient, type SourceClient } from '#lib/infrastructure/sources/transport/client'
import { EntryError, SourceError } from '#lib/infrastructure/sources/transport/errors'
import { parseAnswer } from '#lib/infrastructure/sources/transport/parse-answer'
import type { SourceRequest } from '#lib/infrastructure/sources/transport/send-once'
import { createManualTiming } from '../../../../support/stand-ins/manual-timing.ts'
import { type StandInServer, startStandInServer } from '../../../../support/stand-ins/stand-in-server.ts'
import { errorOf } from '../../../../support/tools/errors.ts'

type Options = Partial<Parameters<typeof createSourceClient>[0]>

const WAIT = 20_000

const WIDE = { requests: 1_000, withinMs: 1, open: 100 }
const Answer = z.object({ name: z.string() })

let server: StandInServer

beforeEach(async () => {
  server = await startStandInServer(() => ({ body: { name: 'Lantern Keep' } }))
})
afterEach(() => server.close())

const createClient = (options: Options = {}) =>
  createSourceClient({ source: 'vndb', publicUrl: 'https://hall.example', limits: WIDE, retryMs: 1, ...options })

const senderOf =
  (client: SourceClient) =>
  (changes: Partial<SourceRequest> = {}, signal?: AbortSignal) =>
    client.request({ url: `${server.url}/thing?key=hidden`, ...changes }, (answer) => answer, { signal })

function* endless() {
  for (;;) yield Buffer.alloc(10_000)
}

test('a request has its user agent, and its answer is status and text', async () => {
  const send = senderOf(createClient())

  const answer = await send({ method: 'POST', body: 'fields name;', headers: { authorization: 'Bearer x' } })

  expect(answer).toMatchObject({ status: 200, text: '{"name":"Lantern Keep"}' })
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      path: '/thing',
      body: 'fields name;',
      headers: { 'user-agent': 'gamehall/1.0.0 (+https://hall.example)', authorization: 'Bearer x' },
    },
  ])
})

test.each([408, 429, 500, 502, 503, 504, 520, 523, 527, 'half'] as const)(
  'a request is sent again after %s, twice at most',
  async (mode) => {
    const send = senderOf(createClient())

    server.fail(mode, 2)
    expect(await send({ method: 'POST' })).toMatchObject({ status: 200 })
    expect(server.requests).toHaveLength(3)

    server.fail(mode, 3)
    expect(await errorOf(send())).toBeInstanceOf(SourceError)
    expect(server.requests).toHaveLength(6)
  },
)

test('a request that may not be repeated is sent once', async () => {
  server.fail(500, 1)

  expect(await errorOf(senderOf(createClient())({ retry: false }))).toMatchObject({ failure: 'http-error' })
  expect(server.requests).toHaveLength(1)
})

test.each([400, 401, 403, 404, 413, 418, 501, 519, 528])('a request is not sent again after %s', async (status) => {
  server.fail(status)

  expect(await errorOf(senderOf(createClient())())).toBeInstanceOf(SourceError)
  expect(server.requests).toHaveLength(1)
})

test('a request is sent again after the time of Retry-After, and no other request is sent earlier', async () => {
  const timing = createManualTiming()
  const send = senderOf(createClient({ timing }))
  server.fail({ status: 429, headers: { 'retry-after': '3' } }, 1)

  const first = send()
  const wait = vi.spyOn(timing, 'wait')
  await vi.waitFor(() => expect(wait).toHaveBeenCalledWith(3_000, expect.anything()), WAIT)
  const second = send()
  await timing.advance(2_999)
  expect(server.requests).toHaveLength(1)

  await timing.advance(1)
  await timing.advance(10)
  await Promise.all([first, second])
  expect(server.requests).toHaveLength(3)
})

test('a request is sent again after 429 without Retry-After, and no other request is sent earlier', async () => {
  const timing = createManualTiming()
  const send = senderOf(createClient({ timing, retryMs: 100, limits: { ...WIDE, open: 1 } }))
  const release = server.hold()
  server.fail(429, 1)
  const wait = vi.spyOn(timing, 'wait')
  const works = [send(), send()]
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), WAIT)
  release()
  await vi.waitFor(() => expect(wait).toHaveBeenCalledTimes(2), WAIT)
  await timing.advance(99)
  expect(server.requests).toHaveLength(1)

  await vi.waitFor(async () => {
    await timing.advance(100)
    expect(server.requests).toHaveLength(3)
  }, WAIT)
  expect(await Promise.all(works)).toMatchObject([{ status: 200 }, { status: 200 }])
})

const inAMinute = () => new Date(Date.now() + 60_000).toUTCString()

test.each([
  [429, 'in seconds', () => '60'],
  [503, 'in seconds', () => '60'],
  [429, 'as a date', inAMinute],
])('Retry-After with %i %s pauses all requests', async (status, _form, retryAfter) => {
  const timing = createManualTiming()
  const client = createClient({ timing })
  const send = senderOf(client)
  server.fail({ status, headers: { 'retry-after': retryAfter() } }, 1)
  await errorOf(send())

  expect(client.openForMs()).toBeGreaterThan(0)
  expect(client.openForMs()).toBeLessThanOrEqual(60_000)
  await timing.advance(client.openForMs() - 1)
  expect(await errorOf(send())).toMatchObject({
    failure: 'circuit-open',
    message: 'the source is not asked at present and will be tried again in 1 s',
  })
  expect(server.requests).toHaveLength(1)

  await timing.advance(1)
  expect(await send()).toMatchObject({ status: 200 })
  expect(server.requests).toHaveLength(2)
})

test('Retry-After refuses all waiting requests at once', async () => {
  const send = senderOf(createClient({ limits: { ...WIDE, open: 1 } }))
  const release = server.hold()
  server.fail({ status: 429, headers: { 'retry-after': '60' } })
  const errors = Promise.all([send(), send(), send()].map(errorOf))
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), WAIT)
  release()

  expect(await errors).toMatchObject([
    { failure: 'rate-limited' },
    { failure: 'circuit-open' },
    { failure: 'circuit-open' },
  ])
  expect(server.requests).toHaveLength(1)
})

test('Retry-After counts for five minutes at most', async () => {
  const client = createClient({ timing: createManualTiming() })
  server.fail({ status: 429, headers: { 'retry-after': '86400' } })
  await errorOf(senderOf(client)())

  expect(client.openForMs()).toBe(5 * 60_000)
})

test.each(['', '0', '-60', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
  'Retry-After of %j does not count',
  async (retryAfter) => {
    const client = createClient()
    server.fail({ status: 429, headers: { 'retry-after': retryAfter } }, 1)

    expect(await senderOf(client)()).toMatchObject({ status: 200 })
    expect(client.openForMs()).toBe(0)
  },
)

test.each([
  [401, 'refused', 'the source refused the credentials'],
  [403, 'refused', 'the source refused the credentials'],
  [429, 'rate-limited', 'the source is throttling requests'],
  [500, 'http-error', 'the source answered with status 500'],
  [404, 'http-error', 'the source answered with status 404'],
  ['garbage', 'malformed', 'the answer has an unexpected form'],
  [{ body: { name: 7 } }, 'malformed', 'the answer has an unexpected form'],
  ['half', 'timeout', 'the source broke off its answer'],
  ['silence', 'timeout', 'the source did not answer in time'],
] as const)('a failure with %j is %s', async (mode, failure, message) => {
  const client = createClient({ attemptMs: mode === 'silence' ? 50 : 5_000 })
  server.fail(mode)

  const sent = { url: `${server.url}/thing?key=hidden`, headers: { authorization: 'hidden' } }
  const error = await errorOf(client.request(sent, ({ text }) => parseAnswer('vndb', Answer, text)))

  expect(error).toBeInstanceOf(SourceError)
  expect(error).toMatchObject({ source: 'vndb', failure, message })
  expect(inspect(error, { depth: 9 })).not.toContain('hidden')
})

test('a failure without a connection is a timeout', async () => {
  await server.close()
  const error = await errorOf(senderOf(createClient())())
  server = await startStandInServer(() => ({}))

  expect(error).toMatchObject({ failure: 'timeout', message: 'the source could not be reached' })
})

test('a redirect is not followed', async () => {
  const other = await startStandInServer(() => ({ body: 'found' }))
  server.fail({ status: 302, headers: { location: `${other.url}/elsewhere` } })

  const error = await errorOf(senderOf(createClient())())
  await other.close()

  expect(error).toMatchObject({ failure: 'http-error', message: 'the source answered with status 302' })
  expect(other.requests).toEqual([])
})

test('an endless body is cut off, and not requested again', async () => {
  server.fail({ body: Readable.from(endless()) })

  expect(await errorOf(senderOf(createClient({ maxBytes: 100_000 }))())).toMatchObject({
    failure: 'malformed',
    message: 'the answer is too large',
  })
  expect(server.requests).toHaveLength(1)
  await vi.waitFor(() => expect(server.open()).toBe(0), WAIT)
})

test('a call ends with the reason of its caller, whatever it waits for', async () => {
  const send = senderOf(createClient({ limits: { ...WIDE, open: 1 } }))
  const release = server.hold()
  const [sent, queued] = [new AbortController(), new AbortController()]
  const reason = new Error('no longer wanted')

  const works = [send({}, sent.signal), send({}, queued.signal)].map(errorOf)
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), WAIT)
  queued.abort(reason)
  sent.abort(reason)

  expect(await Promise.all(works)).toEqual([reason, reason])
  release()
  expect(await errorOf(send({}, AbortSignal.abort(reason)))).toBe(reason)
  expect(server.requests).toHaveLength(1)
})

test('a call ends in time, however often it is tried', async () => {
  server.fail('silence')

  expect(await errorOf(senderOf(createClient({ attemptMs: 10_000, callMs: 2_000 }))())).toMatchObject({
    failure: 'timeout',
    message: 'the source did not answer in time',
  })
  expect(server.requests).toHaveLength(1)
})

test('the wait for a permit takes nothing off the time of a request', async () => {
  const limits = { requests: 1, withinMs: 500, open: 1 }
  const send = senderOf(createClient({ callMs: 400, attemptMs: 400, limits }))

  expect(await Promise.all([send(), send()])).toMatchObject([{ status: 200 }, { status: 200 }])
})

const ONE_AT_A_TIME = { requests: 1, withinMs: 1_000, open: 1 }

test('a permit that does not come in time does not count against the source', async () => {
  const timing = createManualTiming()
  const client = createClient({ timing, permitMs: 100, limits: ONE_AT_A_TIME, circuit: { failures: 1 } })
  const send = senderOf(client)
  await send()
  const errors = await Promise.all([send(), send(), send()].map(errorOf))

  const busy = { failure: 'throttled', message: 'the source is busy with other requests' }
  expect(errors).toEqual(Array(3).fill(expect.objectContaining(busy)))
  expect(server.requests).toHaveLength(1)
  expect(client.openForMs()).toBe(0)
  await timing.advance(1_000)
  expect(await send()).toMatchObject({ status: 200 })
})

const CIRCUIT = { failures: 2, openMs: 30_000 }

test('the circuit opens after answers of another form, although the source answered', async () => {
  const client = createClient({ circuit: CIRCUIT })
  const read = () => client.request({ url: server.url }, ({ text }) => parseAnswer('vndb', Answer, text))
  server.fail('garbage')

  await errorOf(read())
  await errorOf(read())

  expect(await errorOf(read())).toMatchObject({ failure: 'circuit-open' })
})

test('the circuit does not count answers about one entry, ended calls and faults of the service', async () => {
  const client = createClient({ circuit: CIRCUIT })
  const ended = new AbortController()
  const release = server.hold()
  const endedWork = errorOf(senderOf(client)({}, ended.signal))
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), WAIT)
  ended.abort()
  await endedWork
  release()

  const throwing = (error: Error) =>
    errorOf(
      client.request({ url: server.url }, () => {
        throw error
      }),
    )
  for (const failure of ['not-found', 'not-found', 'malformed', 'malformed'] as const)
    await throwing(new EntryError('vndb', failure, 'an answer about one entry'))
  await throwing(new TypeError('a fault'))
  await throwing(new TypeError('a fault'))

  expect(client.openForMs()).toBe(0)
})
