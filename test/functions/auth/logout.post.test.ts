import { expect, it } from 'vitest'
import { cookiesSetBy, logInDevice, signUpDevice } from '../../support/clients/device.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()

const BOTH_CLEARED = { accessSessionToken: undefined, refreshSessionToken: undefined }

const path = '/auth/logout'

it.each([path, '/auth/abcdefabcdefabcdefabcdef/logout'])(
  '%s: 200 with whose session it was, which ended',
  async (at) => {
    const { device, userId } = await signUpDevice(service)
    const before = device.copy()
    const answer = await device.post(at)

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ userId })
    expect(answer.headers.getSetCookie()).toEqual([
      'accessSessionToken=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      'refreshSessionToken=; Max-Age=0; Path=/auth; HttpOnly; SameSite=Lax',
    ])
    expect((await before.post('/auth/refresh-token')).status).toBe(401)
  },
)

it('200: a logout ends the session of one device only', async () => {
  const account = await signUpDevice(service)
  const other = await logInDevice(service.guest, account)
  await account.device.post(path)

  expect((await other.post('/auth/refresh-token')).status).toBe(200)
})

it('200 a second time, and without any session', async () => {
  const { device } = await signUpDevice(service)
  const again = device.copy()
  await device.post(path)

  for (const answer of [await again.post(path), await service.guest.post(path)]) {
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ userId: null })
    expect(cookiesSetBy(answer)).toEqual(BOTH_CLEARED)
  }
})

it.each(['', 'accessSessionToken=expired; '])('200 with the refresh cookie behind "%s"', async (access) => {
  const { device, userId } = await signUpDevice(service)
  const cookie = `${access}refreshSessionToken=${device.cookie('refreshSessionToken')}`
  expect((await service.guest.post(path, { headers: { cookie } })).body).toEqual({ userId })
})

it('200: a token that was just rotated ends the session of the newest one, too', async () => {
  const { device } = await signUpDevice(service)
  const late = device.copy()
  await device.post('/auth/refresh-token')
  await late.post(path)

  expect((await device.post('/auth/refresh-token')).status).toBe(401)
})
