import { expect, it, vi } from 'vitest'
import { ask, openClient, untilConnected, untilRefused } from '../support/clients/clients.ts'
import { useShakyService } from '../support/service/shaky-service.ts'
import { FOREIGN_SITE, SITE, useService } from '../support/service/start-service.ts'

const WAIT = { timeout: 30_000 }

const service = await useService()

const connectRoyal = (options: Parameters<typeof openClient>[2]) => openClient(service.baseUrl, '/royal', options)

it('/royal admits the site and the origin of the service', async () => {
  const { cookie } = await service.caller()
  for (const origin of [SITE, new URL(service.deps.config.publicUrl).origin]) {
    await untilConnected(connectRoyal({ cookie, origin }))
    await untilConnected(connectRoyal({ cookie, origin, transports: ['polling'] }))
  }
})

it('/royal refuses a foreign origin, over WebSocket alone, too', async () => {
  const { cookie } = await service.caller()
  for (const origin of [FOREIGN_SITE, 'null', `${SITE}.evil.example`, 'http://localhost:3001']) {
    for (const transports of [['websocket'], ['polling']]) {
      expect(await untilRefused(connectRoyal({ cookie, origin, transports })), origin).toBe('Unauthorized')
    }
  }
})

it('/royal takes the session from the cookie only', async () => {
  const { cookie } = await service.caller()
  const token = cookie.replace('accessSessionToken=', '')

  expect(await untilRefused(connectRoyal({ auth: { token, cookie }, query: { accessSessionToken: token } }))).toBe(
    'Unauthorized',
  )
})

it('/royal reads the token at the connect only', async () => {
  let now = Date.now()
  const aging = await useService({ clock: () => new Date(now) })
  const { cookie } = await aging.caller()
  const socket = await untilConnected(openClient(aging.baseUrl, '/royal', { cookie }))
  now += 3_600_000

  expect(await ask(socket, 'royal:sync')).toMatchObject({ ok: true })
  expect(await untilRefused(openClient(aging.baseUrl, '/royal', { cookie }))).toBe('Unauthorized')
})

it('/royal is unavailable while the database cannot be reached, and admits again after', async () => {
  const { baseUrl, database, caller } = await useShakyService()
  const { cookie } = await caller()
  database.cut()
  expect(await untilRefused(openClient(baseUrl, '/royal', { cookie }))).toBe('Service Unavailable')
  // A wrong token is refused without the database.
  expect(await untilRefused(openClient(baseUrl, '/royal', { cookie: 'accessSessionToken=x' }))).toBe('Unauthorized')
  database.restore()
  await vi.waitFor(() => untilConnected(openClient(baseUrl, '/royal', { cookie })), WAIT)
})
