import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { cookiesSetBy } from '../../support/clients/device.ts'
import { useService } from '../../support/service/start-service.ts'

const now = Date.now()

const service = await useService({ env: { TRUST_PROXY: '1' }, clock: () => new Date(now) })

const signUp = (body: object, from = '198.51.100.1') =>
  service.guest.post('/auth/signup', { body, headers: { 'x-forwarded-for': from } })

const account = (name: string) => ({ userName: name, email: `${name}@example.org`, password: 'long enough' })

it('200 with the user id, and a stored user whose password is an argon2id hash', async () => {
  const answer = await signUp({ userName: 'Mira', email: '  Mira@Example.org ', password: 'a secret phrase' })

  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ userId: expect.stringMatching(/^[0-9a-f]{24}$/) })
  const user = await service.db.users.findOne({ _id: new ObjectId(answer.body.userId) })
  expect(user).toMatchObject({ userName: 'Mira', email: 'mira@example.org', roles: ['user'], royalGames: [] })
  expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

it('200 with three cookies and their attributes', async () => {
  const lines = (await signUp(account('cookies'))).headers.getSetCookie()

  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/^accessSessionToken=[\w.-]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(lines[1]).toMatch(/^refreshSessionToken=[\w.-]+; Max-Age=2592000; Path=\/auth; HttpOnly; SameSite=Lax$/)
  expect(lines[2]).toMatch(/^knownDevice=[\w.-]+; Max-Age=34560000; Path=\/auth; HttpOnly; SameSite=Lax$/)
})

it('200: neither the refresh token nor its secret is stored', async () => {
  const answer = await signUp(account('hashed'))
  const token = cookiesSetBy(answer).refreshSessionToken ?? ''
  const families = await service.db.refreshTokens.find({ userId: new ObjectId(answer.body.userId) }).toArray()

  expect(families).toHaveLength(1)
  const secret = token.split('.')[1] ?? ''
  expect(secret).toHaveLength(43)
  expect(JSON.stringify(families)).not.toContain(secret)
  const days = ((families[0]?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThan(30.1)
})

it.each([
  ['a user name in another case', { userName: 'FIRST', email: 'other@example.org' }, 'user name'],
  ['a user name in wide letters', { userName: 'ｆｉｒｓｔ', email: 'other@example.org' }, 'user name'],
  ['an e-mail address in another case', { userName: 'other', email: 'FIRST@example.ORG' }, 'e-mail'],
])('409 for %s', async (_, taken, word) => {
  await signUp(account('first'))
  const before = await service.db.users.countDocuments()
  const answer = await signUp({ ...taken, password: 'long enough' })

  expect(answer.status).toBe(409)
  expect(answer.body).toEqual({ statusCode: 409, error: 'Conflict', message: expect.stringContaining(word) })
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await service.db.users.countDocuments()).toBe(before)
})

it('200 for one of 20 simultaneous sign-ups of a name, 409 for the others', async () => {
  const attempts = Array.from({ length: 20 }, (_, index) =>
    signUp({ userName: index % 2 ? 'Racer' : 'racer', email: `racer${index}@example.org`, password: 'long enough' }),
  )
  const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort()

  expect(statuses).toEqual([200, ...Array(19).fill(409)])
  expect(await service.db.users.countDocuments({ email: /^racer\d/ })).toBe(1)
})

it('429 after 60 attempts from one address in an hour, and not from another', async () => {
  const attempt = (from: string) => signUp(account('taken'), from)
  await attempt('203.0.113.1')
  // A request costs a hash, so most attempts are counted without a request.
  const { authLimits } = service.deps
  await Promise.all(Array.from({ length: 40 }, () => authLimits.takeSignUp({ address: '203.0.113.7' })))
  const burst = await Promise.all(Array.from({ length: 20 }, () => attempt('203.0.113.7')))
  expect(burst.map(({ status }) => status)).toEqual(Array(20).fill(409))

  const refused = await attempt('203.0.113.7')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
  expect((await attempt('203.0.113.8')).status).toBe(409)

  await service.db.limits.updateMany({}, { $set: { expire: new Date(0) } })
  expect((await attempt('203.0.113.7')).status).toBe(409)
})

it('403 where sign-up is closed: nothing is stored, and whoever has an account signs in', async () => {
  await signUp(account('early'))
  const closed = await useService({ env: { SIGN_UP: 'closed' }, mongodbUri: service.mongodbUri })
  const before = await closed.db.users.countDocuments()
  const answer = await closed.guest.post('/auth/signup', { body: account('late') })

  expect(answer).toMatchObject({ status: 403, body: { message: 'Sign-up is closed' } })
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await closed.db.users.countDocuments()).toBe(before)
  const { email, password } = account('early')
  expect((await closed.guest.post('/auth/login', { body: { email, password } })).status).toBe(200)
})
