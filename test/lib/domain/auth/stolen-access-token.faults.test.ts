import { randomUUID } from 'node:crypto'
import { ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { resetPassword } from '#lib/domain/auth/reset-password'
import { insertFamily } from '#lib/domain/auth/sessions/token-family'
import { ageRotations, type Device, familyIdOf, logInDevice, signUpDevice } from '../../../support/clients/device.ts'
import { runChangesUntilKilled } from '../../../support/processes/spawn-change.ts'
import { BUSY_MACHINE_MS, type TestService, useService } from '../../../support/service/start-service.ts'

const service = await useService()
const other = await useService({ mongodbUri: service.mongodbUri, timeoutMs: BUSY_MACHINE_MS })

const NEW = 'a longer password'
const steal = (device: Device) => `accessSessionToken=${device.cookie('accessSessionToken')}`
const isGood = async (cookie: string) => {
  const ask = async ({ guest }: TestService) => (await guest.get('/requests/mine', { headers: { cookie } })).status
  const here = await ask(service)
  // The change stream brings the end of a session to the other instance.
  await vi.waitFor(async () => expect(await ask(other)).toBe(here), { timeout: BUSY_MACHINE_MS })
  return here === 200
}

/** Rotates the refresh token twice, so long ago that the first one counts as reused. */
async function rotatePastGrace(device: Device): Promise<void> {
  for (const _ of 'ab') await device.post('/auth/refresh-token')
  await ageRotations(service, familyIdOf(device), 60)
}

it('401 on every instance after the logout of the device, with or without the refresh cookie', async () => {
  const account = await signUpDevice(service)
  const second = await logInDevice(service.guest, account)
  const third = await logInDevice(service.guest, account)
  const [first, stolen, lone] = [account.device, second, third].map(steal)
  expect(await isGood(stolen ?? '')).toBe(true)

  expect((await second.post('/auth/logout')).body).toEqual({ userId: account.userId })
  expect(await isGood(stolen ?? '')).toBe(false)
  await service.guest.post('/auth/logout', { headers: { cookie: lone ?? '' } })
  expect(await isGood(lone ?? '')).toBe(false)
  expect((await third.post('/auth/refresh-token')).status).toBe(401)
  expect(await isGood(first ?? '')).toBe(true)
})

it('401 on every instance after the reuse of a refresh token, also when the process is killed meanwhile', async () => {
  const { device } = await signUpDevice(service)
  const old = device.cookie('refreshSessionToken') ?? ''
  await rotatePastGrace(device)
  const stolen = steal(device)
  expect(await isGood(stolen)).toBe(true)

  await runChangesUntilKilled({ MONGODB_URI: service.mongodbUri }, [{ verb: 'reuse', id: old, step: 'refresh:reused' }])
  // The killed process was another instance, so the change stream brings the end to both.
  await expect.poll(() => isGood(stolen)).toBe(false)
  expect((await device.post('/auth/refresh-token')).status).toBe(401)
})

it('401 on every instance after a change of the password, also for the old token of the changing device', async () => {
  const account = await signUpDevice(service)
  const second = await logInDevice(service.guest, account)
  const stolen = [account.device, second].map(steal)
  const body = { currentPassword: account.password, newPassword: NEW }
  expect((await account.device.put('/auth/password', { body })).status).toBe(200)

  for (const cookie of stolen) expect(await isGood(cookie)).toBe(false)
  expect(await isGood(steal(account.device))).toBe(true)
  expect((await account.device.post('/auth/refresh-token')).status).toBe(200)
  expect(await isGood(steal(account.device))).toBe(true)
})

it('401 on every instance after a reset of the password by command', async () => {
  const { device, userName } = await signUpDevice(service)
  await resetPassword(service.deps, { userName })

  expect(await isGood(steal(device))).toBe(false)
})

it('the user document forgets ended families when no access token can name them any more, and keeps at most 200', async () => {
  const account = await signUpDevice(service)
  const _id = new ObjectId(account.userId)
  const ended = (count: number, at: Date) =>
    Array.from({ length: count }, (_, index) => ({ familyId: `family ${index}`, at }))
  const end = async () => {
    await (await logInDevice(service.guest, account)).post('/auth/logout')
    return (await service.db.users.findOne({ _id }))?.endedFamilies?.length
  }
  await service.db.users.updateOne({ _id }, { $set: { endedFamilies: ended(3, new Date(Date.now() - 17 * 60_000)) } })
  expect(await end()).toBe(1)
  await service.db.users.updateOne({ _id }, { $set: { endedFamilies: ended(300, new Date()) } })
  expect(await end()).toBe(200)
})

it('the user document has the newest 50 families; those before have ended, their access tokens too', async () => {
  const account = await signUpDevice(service)
  const userId = new ObjectId(account.userId)
  const next = await logInDevice(service.guest, account)
  const client = { device: null, address: '192.0.2.1' }
  for (let count = 0; count < 48; count++) {
    const familyId = randomUUID()
    const family = { familyId, tokenHash: familyId, userId, passwordStamp: null, client }
    await insertFamily(service.db.refreshTokens, family)
  }
  await logInDevice(service.guest, account)

  expect(await service.db.refreshTokens.countDocuments({ userId })).toBe(50)
  expect(await isGood(steal(account.device))).toBe(false)
  expect((await account.device.post('/auth/refresh-token')).status).toBe(401)
  expect((await next.post('/auth/refresh-token')).status).toBe(200)
})
