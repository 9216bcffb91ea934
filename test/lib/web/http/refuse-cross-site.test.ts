import { expect, it } from 'vitest'
import type { Caller } from '../../../support/clients/caller.ts'
import { signUpDevice } from '../../../support/clients/device.ts'
import { FOREIGN_SITE, SITE, useService } from '../../../support/service/start-service.ts'

const OWN = 'https://api.games.example'

const service = await useService({ env: { PUBLIC_URL: `${OWN}/` } })
const reader = await service.caller()

/** Sends an empty body. A request that passes gets 400 for a signed-in user, and 401 for a guest. */
const change = (caller: Caller, headers: Record<string, string>) =>
  caller.put('/auth/password', { body: {}, headers }).then(({ status }) => status)

it.each([
  ['no origin and no hint', {}],
  ['the own origin', { origin: OWN }],
  ['an allowed origin', { origin: SITE }],
  ['an allowed origin on another site', { origin: SITE, 'sec-fetch-site': 'cross-site' }],
  ['no origin, from the same origin', { 'sec-fetch-site': 'same-origin' }],
  ['no origin, from the address bar', { 'sec-fetch-site': 'none' }],
])('a change passes with %s', async (_, headers: Record<string, string>) => {
  expect(await change(reader, headers)).toBe(400)
  expect(await change(service.guest, headers)).toBe(401)
})

it.each([
  ['a foreign origin', { origin: FOREIGN_SITE }],
  ['a foreign origin that claims the same site', { origin: FOREIGN_SITE, 'sec-fetch-site': 'same-origin' }],
  ['the origin null', { origin: 'null' }],
  ['an origin that begins like an allowed one', { origin: `${SITE}.foreign.example` }],
  ['no origin, from another site', { 'sec-fetch-site': 'cross-site' }],
])('403 for a change with %s, before the session is read', async (_, headers: Record<string, string>) => {
  expect(await change(reader, headers)).toBe(403)
  expect(await change(service.guest, headers)).toBe(403)
})

it.each(['/auth/refresh-token', '/auth/logout'])('403 for %s, and the cookies stay', async (path) => {
  const { device } = await signUpDevice(service)
  const answer = await device.post(path, { body: {}, headers: { origin: FOREIGN_SITE } })

  expect(answer.status).toBe(403)
  expect(answer.body).toMatchObject({ statusCode: 403, error: 'Forbidden' })
  expect(answer.headers.getSetCookie()).toEqual([])
  expect((await device.post('/auth/refresh-token')).status).toBe(200)
})
