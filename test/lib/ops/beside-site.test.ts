import { readdir } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parseRoute } from '../../../lib/http/parse-route.ts'
import { listenLocally } from '../../support/processes/listen-locally.ts'
import { startNginx } from '../../support/processes/start-nginx.ts'

const FUNCTIONS = join(import.meta.dirname, '../../../functions')
/** Asked from inside, at the service's own port. */
const INTERNAL = ['/healthz', '/metrics', '/readyz']
const ID = 'abcdefabcdefabcdefabcdef'

const servers: Server[] = []

/** Answers everything with its name. */
async function startStandIn(name: string): Promise<number> {
  const server = createServer((_request, response) => response.end(name))
  servers.push(server)
  return await listenLocally(server)
}

const nginx = await startNginx('beside-site', {
  gamehall: [await startStandIn('gamehall')],
  site: await startStandIn('site'),
})
afterAll(async () => {
  await nginx.close()
  for (const server of servers) server.close()
})

const ask = (method: string, path: string) =>
  new Promise<string>((resolve, reject) => {
    request(`${nginx.baseUrl}${path}`, { method }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve(`${method} ${path}: ${text}`))
    })
      .on('error', reject)
      .end()
  })

/** Each route with ids, and once more with a slug where one may stand. */
const fillIn = (path: string) =>
  [ID, 'chrono-trigger'].map((entry) => path.replace(':idOrSlug', entry).replaceAll(/:\w+/g, ID))

it('every route of the service reaches it, but those that are asked from inside', async () => {
  const files = await readdir(FUNCTIONS, { recursive: true })
  const routes = files.flatMap((file) => parseRoute(file) ?? []).filter(({ path }) => !INTERNAL.includes(path))
  const asked = [
    ...routes.flatMap(({ method, path }) => fillIn(path).map((each) => ({ method, path: each }))),
    { method: 'GET', path: '/socket.io/?EIO=4&transport=polling' },
  ]
  expect(asked.length).toBeGreaterThan(50)

  const answers = await Promise.all(asked.map(({ method, path }) => ask(method, path)))
  expect(answers).toEqual(asked.map(({ method, path }) => `${method} ${path}: gamehall`))
})

it('ids in capitals, deeper paths and addresses of 500 ids reach it, too', async () => {
  const many = `/games/by-ids?_ids=${Array(500).fill(ID).join(',')}`
  for (const path of [
    `/games/${ID.toUpperCase()}/comments`,
    `/games/${ID}/comments/count`,
    `/user/${ID.toUpperCase()}`,
    '/games/Chrono-Trigger',
    many,
  ])
    expect(await ask('GET', path)).toBe(`GET ${path}: gamehall`)
})

it.each(['/', '/games', '/games/slugs', `/games/${ID}/reviews`, '/user/logins', '/users', '/commentsold', ...INTERNAL])(
  '%s stays with the site',
  async (path) => {
    expect(await ask('GET', path)).toBe(`GET ${path}: site`)
  },
)

const send = (path: string, body: string) =>
  fetch(`${nginx.baseUrl}${path}`, { method: 'POST', body }).then(({ status }) => status)

it('413 for a body larger than any that the service takes', async () => {
  expect(await send('/requests', 'x'.repeat(8 * 1024))).toBe(200)
  expect(await send('/requests', 'x'.repeat(1024 * 1024 + 1))).toBe(413)
})

it('429 for a flood of sign-ins from one address, which keeps nothing else from it', async () => {
  const statuses = await Promise.all(Array.from({ length: 200 }, () => send('/auth/login', '{}')))
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(await ask('GET', '/platforms')).toBe('GET /platforms: gamehall')
})
