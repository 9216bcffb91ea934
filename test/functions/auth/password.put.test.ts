import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { logInDevice, signUpDevice } from '../../support/clients/device.ts'
import { useService } from '../../support/service/start-service.ts'

let now = Date.now()

const service = await useService({ clock: () => new Date(now) })

const OLD = 'a long password'
const NEW = 'a longer password'
const change = (currentPassword: string, newPassword = NEW) => ({ body: { currentPassword, newPassword } })

const logIn = (email: string, password: string) => service.guest.post('/auth/login', { body: { email, password } })

it('200 with the user id; the new password signs in, the old one does not', async () => {
  const { device, email, userId } = await signUpDevice(service)
  const answer = await device.put('/auth/password', change(OLD))

  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ userId })
  expect((await logIn(email, OLD)).status).toBe(401)
  expect((await logIn(email, NEW)).status).toBe(200)
})

it('200: a change ends every other session of the user, and of nobody else', async () => {
  const account = await signUpDevice(service)
  const others = [await logInDevice(service.guest, account), await logInDevice(service.guest, account)]
  const bystander = await signUpDevice(service)
  await account.device.put('/auth/password', change(OLD))

  for (const other of others) expect((await other.post('/auth/refresh-token')).status).toBe(401)
  expect((await account.device.post('/auth/refresh-token')).status).toBe(200)
  expect((await account.device.post('/auth/refresh-token')).status).toBe(200)
  expect((await bystander.device.post('/auth/refresh-token')).status).toBe(200)
})

it('200: a change keeps the session of a tab whose token was just rotated', async () => {
  const { device } = await signUpDevice(service)
  const late = device.copy()
  await device.post('/auth/refresh-token')
  expect((await late.put('/auth/password', change(OLD))).status).toBe(200)

  expect((await device.post('/auth/refresh-token')).status).toBe(200)
})

it('200: a change without a refresh cookie, or with that of another user, ends every session', async () => {
  const stranger = await signUpDevice(service)
  for (const refresh of ['', `; refreshSessionToken=${stranger.device.cookie('refreshSessionToken')}`]) {
    const { device } = await signUpDevice(service)
    const cookie = `accessSessionToken=${device.cookie('accessSessionToken')}${refresh}`
    expect((await service.guest.put('/auth/password', { ...change(OLD), headers: { cookie } })).status).toBe(200)

    expect((await device.post('/auth/refresh-token')).status).toBe(401)
  }
  expect((await stranger.device.post('/auth/refresh-token')).status).toBe(200)
})

it('401 for a session whose deletion was lost', async () => {
  const account = await signUpDevice(service)
  const other = await logInDevice(service.guest, account)
  const userId = new ObjectId(account.userId)
  const families = await service.db.refreshTokens.find({ userId }).toArray()
  await account.device.put('/auth/password', change(OLD))
  await service.db.refreshTokens.deleteMany({ userId })
  await service.db.refreshTokens.insertMany(families)

  expect((await other.post('/auth/refresh-token')).status).toBe(401)
  expect((await account.device.post('/auth/refresh-token')).status).toBe(200)
})

it('401 for sessions that began with the old password during the change', async () => {
  const account = await signUpDevice(service)
  const body = { email: account.email, password: OLD }
  const logins = Array.from({ length: 6 }, () => logInDevice(service.guest, body))
  const [answer, ...devices] = await Promise.all([account.device.put('/auth/password', change(OLD)), ...logins])

  expect(answer.status).toBe(200)
  for (const device of devices) expect((await device.post('/auth/refresh-token')).status).toBe(401)
})

it('400 with an issue on currentPassword when that is wrong, never 401; nothing changes', async () => {
  const account = await signUpDevice(service)
  const other = await logInDevice(service.guest, account)
  const answer = await account.device.put('/auth/password', change('not the password'))

  expect(answer.status).toBe(400)
  expect(answer.body.issues).toEqual([{ path: 'currentPassword', message: answer.body.message }])
  expect((await logIn(account.email, OLD)).status).toBe(200)
  expect((await other.post('/auth/refresh-token')).status).toBe(200)
})

it('400 when another change of the same password came first, or 401 when that has ended its session already', async () => {
  const { device, email } = await signUpDevice(service)
  const passwords = ['the first of two', 'the second of two']
  const answers = await Promise.all(
    passwords.map((password) => device.copy().put('/auth/password', change(OLD, password))),
  )
  const [won, lost] = answers[0]?.status === 200 ? answers : answers.toReversed()
  expect(won?.status).toBe(200)
  expect([400, 401]).toContain(lost?.status)
  const logins = await Promise.all(passwords.map((password) => logIn(email, password)))
  expect(logins.map(({ status }) => status)).toEqual(answers.map(({ status }) => (status === 200 ? 200 : 401)))
})

it('429 after 10 wrong current passwords, 12 at once; the right one does not count', async () => {
  const { device } = await signUpDevice(service)
  const bystander = await signUpDevice(service)
  expect((await device.put('/auth/password', change(OLD))).status).toBe(200)
  const guesses = Array.from({ length: 12 }, () => device.copy().put('/auth/password', change('a wrong guess')))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort()

  expect(statuses).toEqual([...Array(10).fill(400), 429, 429])
  const refused = await device.put('/auth/password', change(NEW))
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(890)
  expect((await bystander.device.put('/auth/password', change(OLD))).status).toBe(200)
})

it('401 for an access token after 15 minutes; the refresh token stays valid', async () => {
  const { device } = await signUpDevice(service)
  now += 899_000
  expect((await device.put('/auth/password', change('wrong'))).status).toBe(400)
  now += 2_000
  expect((await device.put('/auth/password', change('wrong'))).status).toBe(401)
  expect((await device.post('/auth/refresh-token')).status).toBe(200)
  expect((await device.put('/auth/password', change('wrong'))).status).toBe(400)
})
