import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { FEED_LIVE_MS } from '#lib/infrastructure/concurrency/timeouts'
import { openClient, untilConnected, untilDisconnected, untilRefused } from '../../support/clients/clients.ts'
import { logInDevice, signUpDevice } from '../../support/clients/device.ts'
import { useService } from '../../support/service/start-service.ts'

const env = { TRUST_PROXY: '1' }
const service = await useService({ env })
const useOther = () => useService({ env, mongodbUri: service.mongodbUri, timeoutMs: 12_000 })

const makeAdmins = (...accounts: { userId: string }[]) =>
  service.db.users.updateMany(
    { _id: { $in: accounts.map(({ userId }) => new ObjectId(userId)) } },
    { $set: { roles: ['user', 'admin'] } },
  )

it('200 once no session, sign-in and socket works at any instance; name and e-mail are free, old tokens do nothing', async () => {
  // The second instance has the default wait for the caches of others.
  const other = await useOther()
  const account = await signUpDevice(other)
  await makeAdmins(account)
  // The last admin could not be deleted.
  await service.caller({ isAdmin: true })
  const second = await logInDevice(other.guest, account)
  const cookie = account.device.header('/')
  const sockets = [service, other].flatMap(({ baseUrl }) =>
    ['/royal', '/notifications', '/conflicts'].map((name) => openClient(baseUrl, name, { cookie })),
  )
  await Promise.all(sockets.map(untilConnected))
  const ended = Promise.all(sockets.map(untilDisconnected))
  const path = `/user/${account.userId}`
  const stale = account.device.copy()
  // Caches of both instances hold the session.
  const cached = { headers: { cookie } }
  expect((await service.guest.get('/auth/session', cached)).status).toBe(200)
  expect((await service.guest.get('/requests/mine', cached)).status).toBe(200)

  expect((await account.device.delete(path, { body: { password: 'wrong' } })).status).toBe(400)
  const startedAt = performance.now()
  const deleted = await account.device.delete(path, { body: { password: account.password } })
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(FEED_LIVE_MS)

  expect(deleted).toMatchObject({ status: 200, body: { userId: account.userId } })
  expect(account.device.header('/auth')).not.toContain('SessionToken')
  await ended
  for (const device of [stale, second]) {
    expect((await device.get('/requests/mine')).status).toBe(401)
    expect((await device.post('/auth/refresh-token')).status).toBe(401)
  }
  expect((await service.guest.get('/requests/mine', cached)).status).toBe(401)
  expect(await untilRefused(openClient(service.baseUrl, '/royal', { cookie }))).toBe('Unauthorized')
  expect((await service.guest.post('/auth/login', { body: account })).status).toBe(401)
  const { userName, email } = account
  const again = await service.guest.post('/auth/signup', { body: { userName, email, password: 'another password' } })
  expect(again.status).toBe(200)
  expect((await service.guest.get('/auth/session', cached)).status).toBe(401)
})

it('403 for another account', async () => {
  const { device } = await signUpDevice(service)
  const { userId, password } = await signUpDevice(service)

  expect((await device.delete(`/user/${userId}`, { body: { password } })).status).toBe(403)
  expect(await service.db.users.countDocuments({ _id: new ObjectId(userId) })).toBe(1)
})

it('409 for the last admin, also when two go at the same moment', async () => {
  const admins = await Promise.all([1, 2].map(() => signUpDevice(service)))
  await service.db.users.updateMany({ roles: 'admin' }, { $set: { roles: ['user'] } })
  await makeAdmins(...admins)
  const answers = await Promise.all(
    admins.map(({ device, userId, password }) => device.delete(`/user/${userId}`, { body: { password } })),
  )

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.message).toBe('The last admin cannot be deleted')
  expect(await service.db.users.countDocuments({ roles: 'admin' })).toBe(1)
})
