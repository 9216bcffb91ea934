import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseRoute } from '#lib/web/http/load-functions'
import { listenLocally } from '../../support/processes/listen-locally.ts'
import { useNginx } from '../../support/processes/start-nginx.ts'
import { atEnd } from '../../support/service/close-at-end.ts'

const FUNCTIONS = join(import.meta.dirname, '../../../functions')
/** Paths for monitoring, which is inside and uses the port of the service. */
const INTERNAL = ['/healthz', '/metrics', '/readyz']
const ID = 'abcdefabcdefabcdefabcdef'
const SLUGS_UNKNOWN_TO_SITE = ['/games/chrono-trigger', '/games/Chrono-Trigger', '/characters/frog']

/** Answers every request with the name, and with 404 for unknown addresses. */
async function startStandIn(name: string, unknown: readonly string[] = []): Promise<number> {
  const server = createServer(({ url = '' }, response) => {
    response.statusCode = unknown.includes(url) ? 404 : 200
    response.end(name)
  })
  atEnd(() => server.close())
  return await listenLocally(server)
}

const upstreams = {
  gamehall: [await startStandIn('gamehall')],
  site: await startStandIn('site', SLUGS_UNKNOWN_TO_SITE),
  images: await startStandIn('images', [`/images/covers/${ID}/${ID}`]),
}
const proxy = await useNginx('beside-site', upstreams)

async function ask(method: string, path: string): Promise<string> {
  const answer = await fetch(`${proxy.baseUrl}${path}`, { method })
  return `${method} ${path}: ${answer.status} ${await answer.text()}`
}

const files = await readdir(FUNCTIONS, { recursive: true })
const fillIn = (path: string) => path.replaceAll(/:\w+/g, ID).replace(`conflicts/${ID}`, 'conflicts/igdb')
const routes = [
  ...files.flatMap((file) => parseRoute(file) ?? []).map(({ method, path }) => ({ method, path: fillIn(path) })),
  { method: 'GET', path: '/socket.io/?EIO=4&transport=polling' },
]

it.each([
  ...SLUGS_UNKNOWN_TO_SITE,
  `/games/${ID.toUpperCase()}/comments`,
  `/user/${ID.toUpperCase()}`,
  `/games/by-ids?_ids=${Array(500).fill(ID).join(',')}`,
])('%s reaches the service beside a site', async (path) => {
  expect(await ask('GET', path)).toBe(`GET ${path}: 200 gamehall`)
})

it.each(['POST', 'DELETE'])('a %s that the site answers with 404 stays with the site', async (method) => {
  expect(await ask(method, '/games/chrono-trigger')).toBe(`${method} /games/chrono-trigger: 404 site`)
})

const GET_ONES = [
  '/',
  '/games',
  '/games/slugs',
  '/games/stats',
  '/games/recent',
  '/games/upcoming',
  '/games/random-slug',
  '/games/top-rated-random',
  '/games/count-by-genre',
  '/games/a-game-of-the-site',
  `/games/${ID}/reviews`,
  `/games/${ID}/comments/count`,
  '/characters',
  '/characters/popular',
  '/comments/latest',
  '/auth/google',
  '/auth/login',
  '/user/logins',
  '/user/logs',
  `/user/${ID}/logs`,
  '/users',
  `/users/${ID}`,
  '/activity/socket/?EIO=4&transport=polling',
  `/images/covers/${ID}`,
  ...INTERNAL,
]
const CHANGES = [
  'POST /games/add',
  'POST /games/by-ids',
  `DELETE /games/${ID}`,
  `POST /games/${ID}/comments`,
  `POST /user/${ID}`,
  'POST /notifications',
  'POST /auth/session',
  'PUT /auth/login',
]

it.each([...GET_ONES.map((path) => `GET ${path}`), ...CHANGES])('%s stays with the site', async (line) => {
  const [method = '', path = ''] = line.split(' ')
  expect(await ask(method, path)).toBe(`${line}: 200 site`)
})

it('images reach their server by their keys', async () => {
  const path = `/images/covers/${ID}/${ID}`
  expect(await ask('GET', path)).toBe(`GET ${path}: 200 images`)
})

it('the sign-in of the site is not limited as that of the service is', async () => {
  const path = '/auth/google'
  const answers = await Promise.all(Array.from({ length: 90 }, () => ask('POST', path)))
  expect([...new Set(answers)]).toEqual([`POST ${path}: 200 site`])
})

it('a preflight request goes where its request goes', async () => {
  const preflight = (path: string, method: string) =>
    fetch(`${proxy.baseUrl}${path}`, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': method },
    }).then((answer) => answer.text())
  expect([await preflight('/games/by-ids', 'POST'), await preflight(`/comments/${ID}`, 'PATCH')]).toEqual([
    'site',
    'gamehall',
  ])
})

it('the first five lines of the example give the site the paths that both could have', async () => {
  const names = ['accounts', 'users', 'platforms', 'notifications', 'sockets']
  const divided = await useNginx('beside-site', { ...upstreams, ofSite: names })
  const owners = await Promise.all(
    routes
      .filter(({ path }) => !INTERNAL.includes(path))
      .map(async ({ method, path }) => {
        const answer = await fetch(`${divided.baseUrl}${path}`, { method })
        return { line: `${method} ${path}`, owner: await answer.text() }
      }),
  )
  const ofSite = owners.filter(({ owner }) => owner === 'site').map(({ line }) => line)
  const expected = /^GET \/platforms$|\/(user|notifications|socket\.io|auth|users)\//
  const kept = /^GET \/auth\/session$|^DELETE \/users\/|\/(export|suspension|hide-comments|record|notes)$/
  expect(ofSite.toSorted()).toEqual(
    owners
      .map(({ line }) => line)
      .filter((line) => (expected.test(line) || line === 'GET /notifications') && !kept.test(line))
      .toSorted(),
  )
  expect(await (await fetch(`${divided.baseUrl}/gamehall.io/?EIO=4`)).text()).toBe('gamehall')
})
