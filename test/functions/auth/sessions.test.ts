import { expect, it } from 'vitest'
import { createDevice, signUpDevice } from '../../support/clients/device.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService({ env: { TRUST_PROXY: '1' } })

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const from = (address: string) => ({ 'user-agent': FIREFOX, 'x-forwarded-for': address })

async function logIn({ email, password }: { email: string; password: string }, address = '192.0.2.7') {
  const device = createDevice(service.guest)
  await device.post('/auth/login', { body: { email, password }, headers: from(address) })
  return device
}

it('200 with the own sessions, the last used first, with device, address, times and the current one', async () => {
  const account = await signUpDevice(service)
  await signUpDevice(service)
  const device = await logIn(account)
  await account.device.post('/auth/refresh-token', { headers: from('192.0.2.9') })
  const { results } = (await device.get('/auth/sessions')).body

  const time = expect.stringMatching(/Z$/)
  const row = {
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    device: 'Firefox on Linux',
    createdAt: time,
    lastUsedAt: time,
  }
  expect(results).toEqual([
    { ...row, address: '192.0.2.9', isCurrent: false },
    { ...row, address: '192.0.2.7', isCurrent: true },
  ])
  expect(JSON.stringify(results)).not.toContain(device.cookie('refreshSessionToken')?.slice(0, 22))
})

it('200 ending one session at once, with its access token; 404 for an ended or a foreign one', async () => {
  const account = await signUpDevice(service)
  const [first, second] = [await logIn(account), await logIn(account)]
  const stranger = await signUpDevice(service)
  const list = async () => (await first.get('/auth/sessions')).body.results
  const [foreign] = (await stranger.device.get('/auth/sessions')).body.results
  const other = (await second.get('/auth/sessions')).body.results.find((row: { isCurrent: boolean }) => row.isCurrent)

  const answers = []
  for (const id of [foreign._id, other._id, other._id]) answers.push(await first.delete(`/auth/sessions/${id}`))
  expect(answers.map(({ status }) => status)).toEqual([404, 200, 404])
  expect((await second.get('/auth/session')).status).toBe(401)
  expect((await second.post('/auth/refresh-token')).status).toBe(401)
  expect((await stranger.device.get('/auth/session')).status).toBe(200)
  expect(await list()).toHaveLength(2)
})

it('200 ending all others; the current one goes on, with its access token alone too', async () => {
  const account = await signUpDevice(service)
  const [kept, other] = [await logIn(account), await logIn(account)]
  const cookie = `accessSessionToken=${kept.cookie('accessSessionToken')}`
  const ended = await service.guest.delete('/auth/sessions', { headers: { cookie } })

  expect(ended.body.results).toEqual([expect.objectContaining({ isCurrent: true })])
  expect((await kept.post('/auth/refresh-token')).status).toBe(200)
  for (const device of [other, account.device]) expect((await device.get('/auth/session')).status).toBe(401)
})
