import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { ageRotations, cookiesSetBy, type Device, familyIdOf, signUpDevice } from '../../support/clients/device.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService({ env: { TRUST_PROXY: '1' } })

const REFRESH = 'refreshSessionToken'
const ACCESS = 'accessSessionToken'
const BOTH_CLEARED = { [ACCESS]: undefined, [REFRESH]: undefined }

const signUp = () => signUpDevice(service)
const refresh = (device: Device) => device.post('/auth/refresh-token')
const findFamily = (device: Device) => service.db.refreshTokens.findOne({ familyId: familyIdOf(device) })

/** Sends tokens, as a thief with an old one does, or a browser that holds cookies of several domains. */
const send = (...tokens: (string | undefined)[]) =>
  service.guest.post('/auth/refresh-token', {
    headers: { cookie: tokens.map((token) => `${REFRESH}=${token}`).join('; ') },
  })

const age = (device: Device, seconds: number) => ageRotations(service, familyIdOf(device), seconds)

/** Repeats an attempt that took so long on a busy machine that the grace was over. */
async function within<T>(seconds: number, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    const startedAt = performance.now()
    const result = await attempt()
    if (performance.now() - startedAt < seconds * 1_000) return result
  }
}

it('200 with the user id, another refresh token, and an access token that works', async () => {
  const { device, userId } = await signUp()
  const first = device.cookie(REFRESH)
  const answer = await refresh(device)

  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ userId })
  expect(device.cookie(REFRESH)).not.toBe(first)
  const change = { currentPassword: 'not it', newPassword: 'long enough' }
  expect((await device.put('/auth/password', { body: change })).status).toBe(400)
})

it('200 again and again, each time with the last token, its 30 days begun anew', async () => {
  const { device } = await signUp()
  await service.db.refreshTokens.updateOne(
    { familyId: familyIdOf(device) },
    { $set: { expiresAt: new Date(Date.now() + 60_000) } },
  )
  for (let round = 0; round < 5; round++) expect((await refresh(device)).status).toBe(200)

  const days = (((await findFamily(device))?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(await service.db.refreshTokens.countDocuments({ familyId: familyIdOf(device) })).toBe(1)
})

it('200 for two tabs at once: one rotates, the other gets an access cookie only', async () => {
  for (let round = 0; round < 3; round++) {
    const { device } = await signUp()
    const answers = await Promise.all([refresh(device.copy()), refresh(device.copy())])
    const set = answers.map(cookiesSetBy)

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(set.every((cookies) => cookies[ACCESS] !== undefined)).toBe(true)
    const rotations = set.filter((cookies) => REFRESH in cookies)
    expect(rotations).toHaveLength(1)
    expect((await send(rotations[0]?.[REFRESH])).status).toBe(200)
  }
})

it('200 with an access cookie for a token within 10 seconds of its rotation, after any number of rotations', async () => {
  const { device, answer } = await within(4, async () => {
    const { device } = await signUp()
    const first = device.cookie(REFRESH)
    for (let round = 0; round < 4; round++) await refresh(device)
    await age(device, 9 - 4)
    return { device, answer: await send(first) }
  })

  expect(answer.status).toBe(200)
  expect(Object.keys(cookiesSetBy(answer))).toEqual([ACCESS])
  expect((await refresh(device)).status).toBe(200)
})

it('401 after the 10 seconds, which a repeat does not prolong', async () => {
  const { device, first, answer } = await within(4, async () => {
    const { device } = await signUp()
    const first = device.cookie(REFRESH)
    await refresh(device)
    await age(device, 5)
    return { device, first, answer: await send(first) }
  })
  expect(answer.status).toBe(200)
  await age(device, 10.1)
  expect((await send(first)).status).toBe(401)
})

it('401 for a reuse after 10 seconds: both cookies are cleared, and the newest token ends, too', async () => {
  const { device } = await signUp()
  const bystander = await signUp()
  const first = device.cookie(REFRESH)
  await refresh(device)
  await age(device, 10.1)
  const reuse = await send(first)

  expect(reuse.status).toBe(401)
  expect(reuse.body).toEqual({ statusCode: 401, error: 'Unauthorized', message: 'Unauthorized' })
  expect(cookiesSetBy(reuse)).toEqual(BOTH_CLEARED)
  expect((await send(device.cookie(REFRESH))).status).toBe(401)
  expect((await send(first)).status).toBe(401)
  expect((await refresh(bystander.device)).status).toBe(200)
})

it('401 for every token of a removed user', async () => {
  const { device, userId } = await signUp()
  const first = device.cookie(REFRESH)
  await refresh(device)
  await service.db.users.deleteOne({ _id: new ObjectId(userId) })

  expect((await send(first)).status).toBe(401)
  const answer = await refresh(device)
  expect(answer.status).toBe(401)
  expect(cookiesSetBy(answer)).toEqual(BOTH_CLEARED)
  expect(await service.db.refreshTokens.countDocuments({ userId: new ObjectId(userId) })).toBe(0)
})

it('401 for an expired family that is still stored, and it stays expired', async () => {
  const { device } = await signUp()
  const expiresAt = new Date(Date.now() - 1)
  await service.db.refreshTokens.updateOne({ familyId: familyIdOf(device) }, { $set: { expiresAt } })

  expect((await send(device.cookie(REFRESH))).status).toBe(401)
  expect((await send(device.cookie(REFRESH))).status).toBe(401)
})

it.each([
  ['another secret of a family', (token: string) => `${token.slice(0, 23)}${'A'.repeat(43)}`],
  ['a family that never was', (token: string) => `${'A'.repeat(22)}${token.slice(22)}`],
])('401 for %s', async (_, forge) => {
  const { device } = await signUp()
  expect((await send(forge(device.cookie(REFRESH) ?? ''))).status).toBe(401)
})

it.each([
  ['a word', 'x'],
  ['no secret', `${'A'.repeat(22)}.`],
  ['8,000 characters', 'A'.repeat(8_000)],
  ['an operator', '{"$gt":""}'],
])('401 for %s, and what cannot be a token is cleared', async (_, token) => {
  const answer = await send(token)
  expect(answer.status).toBe(401)
  expect(cookiesSetBy(answer)).toEqual(BOTH_CLEARED)
})

it('401 without a refresh cookie, and an access cookie is left alone', async () => {
  const { device } = await signUp()
  const answer = await service.guest.post('/auth/refresh-token', {
    headers: { cookie: `${ACCESS}=${device.cookie(ACCESS)}` },
  })
  expect(answer.status).toBe(401)
  expect(answer.headers.getSetCookie()).toEqual([])
})

it('200 for two refresh cookies of which one is valid, in either order', async () => {
  for (const isGoodFirst of [true, false]) {
    const { device } = await signUp()
    const stale = await signUp()
    await stale.device.copy().post('/auth/logout')
    const tokens = [device.cookie(REFRESH), stale.device.cookie(REFRESH)]
    const answer = await send(...(isGoodFirst ? tokens : tokens.reverse()))

    expect(answer.status).toBe(200)
    expect(cookiesSetBy(answer)[REFRESH]?.slice(0, 22)).toBe(device.cookie(REFRESH)?.slice(0, 22))
  }
})

it('200 for several tokens of one family: the newest counts, in any order', async () => {
  for (const isStaleFirst of [true, false]) {
    const { device, userId } = await signUp()
    const stale = device.cookie(REFRESH)
    await refresh(device)
    await age(device, 11)
    for (let round = 0; round < 3; round++) {
      const tokens = [stale, device.cookie(REFRESH)]
      const answer = await send(...(isStaleFirst ? tokens : tokens.reverse()))

      expect(answer).toMatchObject({ status: 200, body: { userId } })
      await refresh(device)
    }
  }
})

it('200 for several tokens of one family of which one is within its 10 seconds', async () => {
  const { device, answer } = await within(9, async () => {
    const { device } = await signUp()
    const stale = device.cookie(REFRESH)
    await refresh(device)
    await age(device, 11)
    const repeated = device.cookie(REFRESH)
    await refresh(device)
    return { device, answer: await send(stale, repeated) }
  })
  expect(answer.status).toBe(200)
  expect(Object.keys(cookiesSetBy(answer))).toEqual([ACCESS])
  expect((await refresh(device)).status).toBe(200)
})

it('401 for several tokens of one family of which none is current: it has ended', async () => {
  const { device } = await signUp()
  const stale = [device.cookie(REFRESH)]
  for (let round = 0; round < 2; round++) {
    await refresh(device)
    stale.push(device.cookie(REFRESH))
  }
  await refresh(device)
  await age(device, 11)

  expect(await send(...stale)).toMatchObject({ status: 401 })
  expect((await refresh(device)).status).toBe(401)
})

it('401 after a refresh and a logout at once, in either order', async () => {
  for (let round = 0; round < 4; round++) {
    const { device } = await signUp()
    const tab = device.copy()
    await Promise.all([refresh(tab), device.copy().post('/auth/logout')])

    expect((await send(tab.cookie(REFRESH))).status).toBe(401)
    expect(await findFamily(device)).toBeNull()
  }
})

it('401 after a refresh and a reuse at once, in either order', async () => {
  for (let round = 0; round < 4; round++) {
    const { device } = await signUp()
    const first = device.cookie(REFRESH)
    await refresh(device)
    await age(device, 11)
    const tabs = Array.from({ length: 4 }, () => device.copy())
    const [reuse] = await Promise.all([send(first), ...tabs.map(refresh)])

    expect(reuse.status).toBe(401)
    for (const tab of [device, ...tabs]) expect((await send(tab.cookie(REFRESH))).status).toBe(401)
  }
})
