import { createServer } from 'node:http'
import { ObjectId } from 'mongodb'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { CookieJar } from '../../lib/client/cookie-jar.ts'
import { createClient, createCookieJar, type Hall, settle } from '../../lib/client/index.ts'
import { startCutProxy } from '../support/processes/cut-proxy.ts'
import { serveLocally } from '../support/processes/listen-locally.ts'
import { insertGame } from '../support/rows/rows.ts'
import { insertGames } from '../support/scenes/royal-scene.ts'
import { useShakyService } from '../support/service/shaky-service.ts'
import { useService } from '../support/service/start-service.ts'
import { passOnTo } from '../support/stand-ins/s3-stand-in.ts'

const LONG = { timeout: 60_000 }

const service = await useService()
const wire = await startCutProxy(service.port)
afterAll(() => wire.close())

let accounts = 0
async function enter(hall: Hall): Promise<string> {
  accounts += 1
  const userName = `tab-${accounts}`
  await hall.call('POST /auth/signup', {
    body: { userName, email: `${userName}@example.org`, password: 'long enough' },
  })
  return userName
}

/** A browser tab of somebody who has just signed up. */
async function signUp(options: Partial<Parameters<typeof createClient>[0]> = {}) {
  const cookies = createCookieJar()
  const hall = createClient({ baseUrl: wire.baseUrl, cookies, ...options })
  return { hall, cookies, userName: await enter(hall) }
}

/** Drops the access cookie, as a browser does after 15 minutes. */
const dropAccessCookie = (cookies: CookieJar) =>
  cookies.store(new Headers({ 'set-cookie': 'accessSessionToken=; Max-Age=0; Path=/' }))

/** Counts what is sent, by path. */
function counting() {
  const paths: string[] = []
  const counted: typeof fetch = (input, init) => {
    paths.push(`${init?.method} ${new URL(String(input)).pathname}`)
    return fetch(input, init)
  }
  return { fetch: counted, count: (path: string) => paths.filter((sent) => sent === path).length }
}

const REFRESH = 'POST /auth/refresh-token'

test('a session begins with a sign-up, and subscribers see it', async () => {
  const { hall, userName } = await signUp()
  const statuses: string[] = []
  hall.session.subscribe(() => statuses.push(hall.session.get().status))

  expect(hall.session.get()).toMatchObject({ status: 'signed-in', user: { userName, roles: ['user'] } })
  expect(hall.session.mayExist()).toBe(true)
  await hall.call('POST /auth/logout')
  expect(hall.session.get()).toEqual({ status: 'signed-out', user: null })
  expect(hall.session.mayExist()).toBe(false)
  expect(statuses).toEqual(['signed-out'])
  hall.close()
})

test('401 causes one refresh for all callers, and each call is repeated', async () => {
  const { fetch, count } = counting()
  const { hall, cookies } = await signUp({ fetch })
  dropAccessCookie(cookies)
  const answers = await Promise.all(Array.from({ length: 10 }, () => hall.call('GET /requests/mine')))

  expect(answers.map(({ total }) => total)).toEqual(Array(10).fill(0))
  expect(count(REFRESH)).toBe(1)
  hall.close()
})

test('the session is renewed before the cookie lapses', async () => {
  const { fetch, count } = counting()
  const { hall, cookies } = await signUp({ fetch, surroundings: { renewAfterMs: 200 } })
  const before = cookies.header('/auth/x')

  await expect.poll(() => cookies.header('/auth/x'), LONG).not.toBe(before)
  expect(count(REFRESH)).toBeGreaterThan(0)
  hall.close()
})

test('a session is renewed although the last renewal has a future date', async () => {
  const { fetch, count } = counting()
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const { hall } = await signUp({ fetch, surroundings: { storage } })
  for (const key of stored.keys()) stored.set(key, String(Date.now() + 3_600_000))
  await hall.call('GET /requests/mine')
  await hall.call('GET /requests/mine')

  expect(count(REFRESH)).toBe(1)
  hall.close()
})

test('the session of another user refuses changes and sockets of a page, which learns the name', async () => {
  const gameId = String(await insertGame(service.db))
  const { hall: page, cookies } = await signUp()
  const royal = page.royal()
  await untilLive(royal)
  const { hall: other, userName } = await signUp({ cookies })
  const refused = await settle(page.call('POST /comments', { body: { gameId, body: 'Whose?' } }))

  expect(refused).toMatchObject({ ok: false, error: { status: 409, message: expect.stringContaining(userName) } })
  expect(await service.db.comments.countDocuments({ gameId: new ObjectId(gameId) })).toBe(0)
  wire.cut()
  wire.restore()
  await expect.poll(() => page.session.get().user?.userName, LONG).toBe(userName)
  await untilLive(royal)
  await page.call('POST /comments', { body: { gameId, body: 'Mine.' } })
  page.close()
  other.close()
})

test('an ended session is announced, and its call is refused', async () => {
  const { hall, cookies, userName } = await signUp()
  const user = await service.db.users.findOne({ userName })
  await service.db.refreshTokens.deleteMany({ userId: user?._id ?? new ObjectId() })
  dropAccessCookie(cookies)
  const refused = await settle(hall.call('GET /requests/mine'))

  expect(refused).toMatchObject({ ok: false, error: { status: 401, message: 'Unauthorized' } })
  expect(hall.session.get()).toEqual({ status: 'ended', user: null })
  hall.close()
})

const refuse = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
test.each([
  [
    'the whole storage',
    {
      get storage() {
        return refuse()
      },
    },
  ],
  ['each use of the storage', { storage: { getItem: refuse, setItem: refuse, removeItem: refuse } }],
  ['each write', { storage: { getItem: () => null, setItem: refuse, removeItem: () => {} } }],
  ['locks', { locks: { request: async () => refuse() } }],
])('the session begins, is renewed and ends where the browser refuses %s', async (_, surroundings) => {
  const { hall, cookies } = await signUp({ surroundings })
  expect(hall.session.mayExist()).toBe(true)
  dropAccessCookie(cookies)
  expect(await hall.call('GET /requests/mine')).toMatchObject({ total: 0 })
  await hall.call('POST /auth/logout')
  expect(hall.session.mayExist()).toBe(false)
  hall.close()
})

test('401 for a guest, and a wrong password requests no refresh', async () => {
  const { fetch, count } = counting()
  const hall = createClient({ baseUrl: wire.baseUrl, cookies: createCookieJar(), fetch })

  expect(await hall.session.load()).toBeNull()
  const refused = await settle(hall.call('POST /auth/login', { body: { email: 'a@example.org', password: 'x' } }))
  expect(refused).toMatchObject({ ok: false, error: { status: 401 } })
  expect(count(REFRESH)).toBe(1)
  hall.close()
})

test('a GET is repeated after a passing failure, with Retry-After; a change never is', async () => {
  const sent: string[] = []
  const failing = (method: string, status: number) => {
    sent.push(method)
    return Promise.resolve(new Response('{"message":"Later"}', { status, headers: { 'retry-after': '0' } }))
  }
  const flaky: typeof fetch = (input, init) => {
    const { length } = sent
    if (init?.method !== 'GET') return failing('POST', 503)
    if (length < 2) return failing('GET', [429, 502][length] ?? 503)
    sent.push('GET')
    return fetch(input, init)
  }
  const hall = createClient({ baseUrl: wire.baseUrl, fetch: flaky })

  expect(await hall.call('GET /healthz')).toEqual({ status: 'ok' })
  expect(sent).toEqual(['GET', 'GET', 'GET'])
  const refused = await settle(hall.call('POST /auth/logout'))
  expect(refused).toMatchObject({ ok: false, error: { status: 503, message: 'Later', retryAfter: 0 } })
  expect(sent).toEqual(['GET', 'GET', 'GET', 'POST'])
})

test('a refused call names each field', async () => {
  const hall = createClient({ baseUrl: wire.baseUrl })
  const refused = await settle(hall.call('GET /games/:gameId/comments', { params: { gameId: 'x' } }))

  expect(refused).toMatchObject({
    ok: false,
    error: { status: 400, issues: [{ path: 'gameId', message: 'Invalid id' }], body: { error: 'Bad Request' } },
  })
})

test('a call without an answer has the status 0, an aborted one stays an abort', async () => {
  const hall = createClient({ baseUrl: 'http://127.0.0.1:1' })
  const controller = new AbortController()
  controller.abort()

  expect(await settle(hall.call('POST /auth/logout'))).toMatchObject({ ok: false, error: { status: 0 } })
  await expect(hall.call('GET /healthz', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

/** Waits until a store is live, also when it has to connect again. */
const untilLive = (store: { get(): { isLive: boolean } }) => expect.poll(() => store.get().isLive, LONG).toBe(true)

test('a client with a service key sends it with each call, and never requests a session', async () => {
  const sent: { path: string; authorization: unknown }[] = []
  const key = `ghk_${'x'.repeat(43)}`
  const hall = createClient({
    baseUrl: wire.baseUrl,
    key,
    fetch: (input, init) => {
      sent.push({
        path: new URL(String(input)).pathname,
        authorization: new Headers(init?.headers).get('authorization'),
      })
      return fetch(input, init)
    },
  })
  const refused = await settle(hall.call('GET /requests/mine'))
  await hall.call('GET /platforms')

  expect(refused).toMatchObject({ ok: false, error: { status: 401 } })
  expect(sent).toEqual(['/requests/mine', '/platforms'].map((path) => ({ path, authorization: `Bearer ${key}` })))
})

test('a comment that one store posts appears in another store of the same client', async () => {
  const gameId = String(await insertGame(service.db))
  const { hall } = await signUp()
  const [one, two] = [hall.discussion(gameId, { sort: 'new' }), hall.discussion(gameId, { sort: 'top' })]
  await untilLive(one)
  await untilLive(two)

  const { _id } = await one.post({ body: 'Seen twice' })
  await expect.poll(() => two.get().unseen, LONG).toBe(1)
  two.showNew()
  await expect.poll(() => two.get().comments.map((comment) => comment._id), LONG).toEqual([_id])
  expect(one.get()).toMatchObject({ unseen: 0, comments: [{ _id }] })
  hall.close()
})

test('two royal lists of one client show the same, whichever makes the change', async () => {
  const [game = ''] = await insertGames(service.db, 1)
  const { hall } = await signUp()
  const [one, two] = [hall.royal(), hall.royal()]
  await untilLive(one)
  await untilLive(two)

  await one.replace([game])
  expect(two.get().games).toEqual([game])
  one.close()
  await two.remove([game])
  expect(two.get().games).toEqual([])
  expect(hall.royal().get()).toBe(two.get())
  hall.close()
})

test('a socket that is refused is closed, and opens with the next sign-in', async () => {
  const cookies = createCookieJar()
  const hall = createClient({ baseUrl: wire.baseUrl, cookies })
  const royal = hall.royal()
  await expect.poll(() => royal.get().status, LONG).toBe('closed')

  await enter(hall)
  await untilLive(royal)
  await hall.call('POST /auth/logout')
  await expect.poll(() => royal.get().status, LONG).toBe('closed')
  hall.close()
})

test('a socket uses polling where a proxy blocks WebSockets', async () => {
  const server = createServer(passOnTo(new URL(service.baseUrl)))
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'))
  const proxy = await serveLocally(server)
  onTestFinished(proxy.close)
  const socket = createClient({ baseUrl: proxy.baseUrl }).socket('/comments')
  onTestFinished(() => socket.close())
  await expect.poll(() => socket.connection.get().status, LONG).toBe('live')
})

test('a socket that is refused while the database is away connects when the database is back', async () => {
  const { baseUrl, database, caller } = await useShakyService()
  const { cookie } = await caller()
  const cookies = createCookieJar()
  cookies.store(new Headers({ 'set-cookie': cookie }))
  const hall = createClient({ baseUrl, cookies })
  onTestFinished(() => hall.close())
  database.cut()
  const { connection } = hall.socket('/royal')
  let refusals = 0
  connection.subscribe(() => {
    refusals += 1
  })
  await expect.poll(() => refusals, LONG).toBeGreaterThan(0)
  expect(connection.get().status).toBe('connecting')
  database.restore()
  await expect.poll(() => connection.get().status, LONG).toBe('live')
})
