import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { createClient } from '#lib/client/index'
import { openClient, untilAnswered } from '../../support/clients/clients.ts'
import { signToken } from '../../support/clients/sign-token.ts'
import { useService } from '../../support/service/start-service.ts'
import { nowSeconds, SITE_SECRET } from '../../support/stand-ins/site.ts'
import type { OpenApiDocument } from '../../support/tools/openapi-document.ts'

const service = await useService({
  env: {
    ACCOUNTS: 'site',
    JWT_SECRET: SITE_SECRET,
    SOCKET_PATH: '/live/socket',
    SESSION_CLAIMS: 'id:sub,userName:name,admin:roles=admin',
  },
})
const issue = (changed: object = {}) =>
  signToken({ sub: 'ann', name: 'Ann', iat: nowSeconds(), exp: nowSeconds() + 600, ...changed }, SITE_SECRET)
const id = new ObjectId()

it.each([
  ['post', '/auth/signup'],
  ['post', '/auth/login'],
  ['post', '/auth/refresh-token'],
  ['post', '/auth/logout'],
  ['put', '/auth/password'],
  ['post', '/auth/reset'],
  ['post', '/auth/first-admin'],
  ['get', '/auth/sessions'],
  ['delete', '/auth/sessions'],
  ['post', `/auth/${id}/logout`],
  ['patch', `/user/${id}`],
  ['delete', `/user/${id}`],
  ['post', `/users/${id}/reset-link`],
] as const)('404 for %s %s, with a session or without', async (method, path) => {
  for (const headers of [{}, { cookie: `accessSessionToken=${issue()}` }]) {
    const { status, body } = await service.guest[method](path, { headers, body: {} })
    expect([status, body.message]).toEqual([404, 'There is nothing at this address'])
  }
})

it('200 for the session, and the documents list what is served', async () => {
  const headers = { cookie: `accessSessionToken=${issue()}` }
  expect(await service.guest.get('/auth/session', { headers })).toMatchObject({
    status: 200,
    body: { userName: 'Ann' },
  })
  const document: OpenApiDocument = (await service.guest.get('/openapi.json')).body
  expect(Object.keys(document.paths).filter((path) => path.startsWith('/auth'))).toEqual(['/auth/session'])
  const { body } = await service.guest.get('/asyncapi.json')
  expect(body.servers.public.pathname).toBe('/live/socket/')
})

it('200 for the record with the addresses of requests, since nobody signs in here', async () => {
  const headers = { cookie: `accessSessionToken=${issue()}` }
  const session = { headers: { cookie: `accessSessionToken=${issue({ sub: 'bob', name: 'Bob' })}` } }
  const read = () => service.guest.get('/auth/session', session)
  const [{ body: bob }] = await Promise.all([read(), read()])
  const role = { roles: ['user' as const, 'admin' as const], 'site.roleIssuedAt': nowSeconds() + 600 }
  await service.db.users.updateOne({ userName: 'Ann' }, { $set: role })
  const { body } = await service.guest.get(`/users/${bob.userId}/record`, { headers })
  expect(body.addresses).toEqual([{ address: '127.0.0.1', lastUsedAt: expect.any(String) }])
  expect(body.sharing).toEqual([expect.objectContaining({ userName: 'Ann', address: '127.0.0.1' })])
  await read()
  expect((await service.guest.get(`/users/${bob.userId}/record`, { headers })).body.addresses).toEqual(body.addresses)
})

it('403 for changes of a suspended user of the site, but not while a token gives the role of admins', async () => {
  const of = (claims: object) => ({ headers: { cookie: `accessSessionToken=${issue(claims)}` } })
  const [eve, admin] = [{ sub: 'eve', name: 'Eve' }, of({ sub: 'root', name: 'Root', roles: ['admin'] })]
  const { userId } = (await service.guest.get('/auth/session', of(eve))).body
  const suspend = () =>
    service.guest.put(`/users/${userId}/suspension`, { ...admin, body: { until: null, reason: 'Spam' } })
  const like = async (claims: object) => (await service.guest.put(`/comments/${id}/like`, of(claims))).status
  expect((await suspend()).status).toBe(200)
  expect([await like(eve), (await service.guest.get('/auth/session', of(eve))).status]).toEqual([403, 200])
  expect(await like({ ...eve, iat: nowSeconds() + 1, roles: ['admin'] })).toBe(404)
  expect((await suspend()).status).toBe(403)
  expect(await like({ ...eve, iat: nowSeconds() + 2, roles: [] })).toBe(403)
})

it('sockets are served at SOCKET_PATH, and nowhere else', async () => {
  const connect = (path: string) => untilAnswered(openClient(service.baseUrl, '/comments', { path }))
  expect([await connect('/live/socket/'), await connect('/socket.io/')]).toEqual([null, expect.any(String)])
})

it('the client calls `refresh` on a 401, once for all requests at a time, and repeats them', async () => {
  let token = issue({ exp: nowSeconds() - 1 })
  let refreshes = 0
  const hall = createClient({
    baseUrl: service.baseUrl,
    socketPath: '/live/socket/',
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...Object(init?.headers), cookie: `accessSessionToken=${token}` } }),
    refresh: async () => {
      refreshes += 1
      await new Promise((resolve) => setTimeout(resolve, 50))
      token = issue(refreshes === 1 ? {} : { exp: 1 })
      return refreshes === 1
    },
  })
  const read = () => hall.call('GET /auth/session')
  const answers = await Promise.all([read(), read(), read()])
  expect(answers.map(({ userName }) => userName)).toEqual(['Ann', 'Ann', 'Ann'])
  expect(refreshes).toBe(1)
  await hall.session.load()

  token = issue({ exp: 1 })
  await expect(read()).rejects.toMatchObject({ status: 401 })
  expect([refreshes, hall.session.get().status]).toEqual([2, 'ended'])
  hall.close()
})
