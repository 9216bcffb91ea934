import { networkInterfaces } from 'node:os'
import { hash as hashByBcrypt } from '@node-rs/bcrypt'
import { expect, it } from 'vitest'
import { DEMO_PASSWORD } from '#lib/domain/auth/demo-users'
import { hashPassword } from '#lib/domain/auth/passwords'
import type { UserDocument } from '#lib/infrastructure/db/collections/users'
import { createCaller } from '../../support/clients/caller.ts'
import { createDevice, hashCheaply } from '../../support/clients/device.ts'
import { insertUser } from '../../support/rows/rows.ts'
import { type TestService, useService } from '../../support/service/start-service.ts'

let lastAddress = 0

const service = await useService({ env: { TRUST_PROXY: '1' } })

/** Makes an address with limits of its own. */
function newAddress() {
  lastAddress += 1
  return `10.0.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 1}`
}

const PASSWORD = 'the right password'

const cheapHash = await hashCheaply(PASSWORD)

async function insertAccount(userName: string, facts: Partial<UserDocument> = {}, { deps } = service) {
  const { _id } = await insertUser(deps, { userName })
  await deps.db.users.updateOne({ _id }, { $set: { passwordHash: cheapHash, ...facts } })
  return _id.toHexString()
}

const logIn = (email: string, password: string, from = newAddress()) =>
  service.guest.post('/auth/login', { body: { email, password }, headers: { 'x-forwarded-for': from } })

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

it('200 with the user id and both cookies, the address in any case', async () => {
  const userId = await insertAccount('anna', { passwordHash: await hashPassword(PASSWORD) })
  const answer = await logIn(' ANNA@example.com', PASSWORD)

  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ userId })
  expect(answer.headers.getSetCookie().map((line) => line.split('=')[0])).toEqual([
    'accessSessionToken',
    'refreshSessionToken',
    'knownDevice',
  ])
})

it('200 for an account stored before with capitals in its address', async () => {
  const userId = await insertAccount('old', { email: 'Old.Account@Example.com' })
  expect((await logIn('old.account@example.com', PASSWORD)).body).toEqual({ userId })
})

it('200 for a hash of bcrypt, which argon2id then replaces; 401 leaves it', async () => {
  const imported = await hashByBcrypt(PASSWORD, 5)
  const userId = await insertAccount('moved', { passwordHash: imported })
  const readHash = async () => (await service.db.users.findOne({ userName: 'moved' }))?.passwordHash

  expect((await logIn('moved@example.com', 'another password')).status).toBe(401)
  expect(await readHash()).toBe(imported)
  expect((await logIn('moved@example.com', PASSWORD)).body).toEqual({ userId })
  const renewed = await readHash()
  expect(renewed).toMatch(/^\$argon2id\$/)
  expect((await logIn('moved@example.com', PASSWORD)).status).toBe(200)
  expect(await readHash()).toBe(renewed)
})

it('401, the same for a wrong password and for an unknown address', async () => {
  await insertAccount('ben')
  const wrong = await logIn('ben@example.com', 'another password')
  const unknown = await logIn('nobody@example.com', PASSWORD)

  expect(wrong.status).toBe(401)
  expect(unknown.body).toEqual(wrong.body)
  expect(wrong.headers.getSetCookie()).toEqual([])
  expect(unknown.headers.getSetCookie()).toEqual([])
})

it('401 takes the same CPU time for a wrong password, an unknown address and an unreadable hash', async () => {
  await insertAccount('cleo', { passwordHash: await hashPassword(PASSWORD) })
  await insertAccount('damaged', { passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$broken' })
  const kinds = ['cleo@example.com', 'nobody.else@example.com', 'damaged@example.com']
  const least = new Map<string, number>()
  for (let round = 0; round < 5; round++) {
    for (const email of kinds) {
      const before = process.cpuUsage()
      expect((await logIn(email, 'another password')).status).toBe(401)
      // CPU time does not contain what else the machine does.
      const { user, system } = process.cpuUsage(before)
      least.set(email, Math.min(user + system, least.get(email) ?? Number.POSITIVE_INFINITY))
    }
  }
  const [wrong = 0, ...others] = kinds.map((email) => least.get(email) ?? 0)
  for (const other of others) {
    expect(other / wrong).toBeGreaterThan(0.5)
    expect(other / wrong).toBeLessThan(2)
  }
})

it('401 for an address that only looks like the stored one', async () => {
  await insertAccount('dora')
  expect((await logIn('ｄora@example.com', PASSWORD)).status).toBe(401)
  expect((await logIn('do\u00adra@example.com', PASSWORD)).status).toBe(401)
  expect((await logIn('dora@example.com', PASSWORD)).status).toBe(200)
})

it('200: a second sign-in ends the earlier session of the same browser, and no other', async () => {
  await insertAccount('eva')
  const device = createDevice(service.guest)
  const body = { email: 'eva@example.com', password: PASSWORD }
  await device.post('/auth/login', { body })
  const earlier = device.copy()
  const other = createDevice(service.guest)
  await other.post('/auth/login', { body })
  await device.post('/auth/login', { body })

  expect((await earlier.post('/auth/refresh-token')).status).toBe(401)
  expect((await other.post('/auth/refresh-token')).status).toBe(200)
  expect((await device.post('/auth/refresh-token')).status).toBe(200)
})

it('401 for 10 of 20 parallel wrong sign-ins, 429 with Retry-After for the others', async () => {
  // A slow hash keeps every attempt running until all have been sent.
  await insertAccount('fay', { passwordHash: await hashPassword(PASSWORD) })
  const from = newAddress()
  const answers = await Promise.all(times(20, () => logIn('fay@example.com', 'wrong password', from)))

  expect(statusesOf(answers)).toEqual([...Array(10).fill(401), ...Array(10).fill(429)])
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({ statusCode: 429, error: 'Too Many Requests' })
  const retryAfter = Number(refused?.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThan(890)
  expect(retryAfter).toBeLessThanOrEqual(900)
})

it('429 after 10 sign-ins with an unknown address, in any case of its letters', async () => {
  const from = newAddress()
  const SPELLINGS = ['not.there@example.com', 'Not.There@example.com', ' not.there@EXAMPLE.com']
  const answers = await Promise.all(times(12, (index) => logIn(SPELLINGS[index % 3] ?? '', PASSWORD, from)))
  expect(statusesOf(answers)).toEqual([...Array(10).fill(401), 429, 429])
})

const insertDemoUser = async (at: TestService) =>
  insertAccount('alice', { passwordHash: await hashCheaply(DEMO_PASSWORD) }, at)
const attempt = ({ guest }: TestService, headers: Record<string, string> = {}, password = DEMO_PASSWORD) =>
  guest.post('/auth/login', { body: { email: 'Alice@example.com', password }, headers })

it('200 for a demo user in development at a loopback address, 401 through a proxy', async () => {
  const local = await useService()
  await insertDemoUser(local)

  expect((await attempt(local)).status).toBe(200)
  const forwarded = await attempt(local, { 'x-forwarded-for': '198.51.100.4' })
  expect(forwarded.status).toBe(401)
  expect(forwarded.body).toEqual((await attempt(local, {}, 'wrong password')).body)
})

it('401 for a demo user from another machine, without a proxy', async () => {
  const other = Object.values(networkInterfaces())
    .flat()
    .find((network) => network?.family === 'IPv4' && !network.internal)?.address
  const open = await useService({ env: { HOST: '0.0.0.0' } })
  await insertDemoUser(open)
  // A machine without a network has only the loopback address, from which a demo user may sign in.
  const host = other ?? '127.0.0.1'
  const guest = createCaller({ baseUrl: `http://${host}:${open.port}` })
  const { status } = await guest.post('/auth/login', {
    body: { email: 'alice@example.com', password: DEMO_PASSWORD },
  })

  expect(status).toBe(other === undefined ? 200 : 401)
})

it.each([
  ['in production', { isProduction: true }],
  ['behind a public address', { publicUrl: 'http://games.example' }],
  ['behind an address that only begins like a loopback one', { publicUrl: 'http://localhost.example' }],
])('401 for a demo user %s, until the password is changed', async (_, config) => {
  const open = await useService({ config })
  await insertDemoUser(open)
  const refused = await attempt(open)
  expect(refused.status).toBe(401)
  expect(refused.body).toEqual((await attempt(open, {}, 'wrong password')).body)

  await open.db.users.updateOne({ userName: 'alice' }, { $set: { passwordHash: await hashCheaply('one of her own') } })
  expect((await attempt(open, {}, 'one of her own')).status).toBe(200)
})
