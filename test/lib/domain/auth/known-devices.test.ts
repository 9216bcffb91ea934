import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { findDeviceId, nameKnownDevice } from '#lib/domain/auth/known-devices'
import { cookiesSetBy, createDevice, signUpDevice } from '../../../support/clients/device.ts'
import { useService } from '../../../support/service/start-service.ts'

const SECRET = { jwtSecret: 'a secret of at least thirty-two characters' }
const OTHER = { jwtSecret: 'another secret of thirty-two characters' }

const newAccount = () => ({ _id: new ObjectId() })
const [anna, ben] = [newAccount(), newAccount()]

it('a cookie names a device for the user who signed in, and for nobody else', () => {
  const cookie = nameKnownDevice(SECRET, [], anna)

  expect(findDeviceId(SECRET, [cookie], anna)).toMatch(/^[\w-]{22}$/)
  expect(findDeviceId(SECRET, [cookie], ben)).toBeNull()
  expect(findDeviceId(OTHER, [cookie], anna)).toBeNull()
  expect(findDeviceId(SECRET, [cookie.replace(anna._id.toHexString(), ben._id.toHexString())], ben)).toBeNull()
})

it('the knownDevice cookie keeps the devices of the four people who signed in last', () => {
  const people = Array.from({ length: 5 }, newAccount)
  let cookie = ''
  for (const person of people) cookie = nameKnownDevice(SECRET, [cookie], person)
  const again = nameKnownDevice(SECRET, [cookie], people[2] ?? anna)

  const isFound = people.map((person) => findDeviceId(SECRET, [cookie], person) !== null)
  expect(isFound).toEqual([false, ...Array(4).fill(true)])
  for (const person of people)
    expect(findDeviceId(SECRET, [again], person)).toBe(findDeviceId(SECRET, [cookie], person))
  expect(cookie.length).toBeLessThan(600)
})

it('the knownDevice cookie names no device after a change of the password', () => {
  const before = nameKnownDevice(SECRET, [], anna)
  const changed = { ...anna, passwordChange: { stamp: new ObjectId(), keptFamilyId: null } }
  const after = nameKnownDevice(SECRET, [before], changed)

  expect(findDeviceId(SECRET, [before], changed)).toBeNull()
  expect(findDeviceId(SECRET, [after], changed)).not.toBe(findDeviceId(SECRET, [before], anna))
  expect(findDeviceId(SECRET, [after], anna)).toBeNull()
})

const service = await useService({ env: { TRUST_PROXY: '1' } })

it('200: the device is found behind any number of malformed cookies', async () => {
  const { device, email, password } = await signUpDevice(service)
  const valid = device.cookie('knownDevice') ?? ''
  const garbage = ['garbage', 'a~b~c', `${valid}x`, valid.slice(1)]
  const cookies = [...garbage, ...garbage, ...garbage, valid].map((value) => `knownDevice=${value}`)
  const headers = { cookie: cookies.join('; '), 'x-forwarded-for': '203.0.113.200' }
  const answer = await service.guest.post('/auth/login', { body: { email, password }, headers })

  expect(cookiesSetBy(answer).knownDevice).toBe(valid)
})

it('200 on a known device after strangers have used up the limits of the account', async () => {
  const { device, email, password } = await signUpDevice(service)
  await device.post('/auth/logout')
  const logIn = (on: { post: typeof device.post }, from: string, tried: string) =>
    on.post('/auth/login', { body: { email, password: tried }, headers: { 'x-forwarded-for': from } })

  await service.db.limits.deleteMany({})
  for (let count = 0; count < 10; count++) {
    await service.deps.authLimits.tryLogin({ email, address: '192.0.2.0', deviceId: null }, async () => null)
  }
  expect((await logIn(createDevice(service.guest), '192.0.2.0', password)).status).toBe(429)
  expect((await logIn(device, '192.0.2.0', password)).status).toBe(200)
})
