import { sign } from 'hono/jwt'
import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { ask, closeClientsAfterEach, openClient, untilConnected, untilRefused } from '../support/clients/clients.ts'
import { startDatabaseProxy } from '../support/processes/database-proxy.ts'
import { dropDatabase } from '../support/service/drop-database.ts'
import { FOREIGN_SITE, SITE, startService } from '../support/service/start-service.ts'

const WAIT = { timeout: 30_000 }

const service = await startService()
afterAll(() => service.close())
closeClientsAfterEach()

const connectRoyal = (options: Parameters<typeof openClient>[2]) => openClient(service.baseUrl, '/royal', options)

describe('/royal', () => {
  it('lets a signed-in user in over either transport', async () => {
    const { cookie } = await service.caller()
    for (const transports of [['websocket'], ['polling'], ['polling', 'websocket']]) {
      const socket = await untilConnected(connectRoyal({ cookie, transports }))
      expect(await ask(socket, 'royal:sync')).toEqual({ ok: true, royalGames: [], rejected: [] })
    }
  })

  it('finds its cookie among others', async () => {
    const { cookie } = await service.caller()
    await untilConnected(connectRoyal({ cookie: `theme=dark; ${cookie}; lang=en` }))
  })

  it('lets in the site and the own origin of the service', async () => {
    const { cookie } = await service.caller()
    for (const origin of [SITE, new URL(service.deps.config.publicUrl).origin]) {
      await untilConnected(connectRoyal({ cookie, origin }))
      await untilConnected(connectRoyal({ cookie, origin, transports: ['polling'] }))
    }
  })

  it('Unauthorized for a foreign origin, over WebSocket alone, too', async () => {
    const { cookie } = await service.caller()
    for (const origin of [FOREIGN_SITE, 'null', `${SITE}.evil.example`, 'http://localhost:3001']) {
      for (const transports of [['websocket'], ['polling']]) {
        expect(await untilRefused(connectRoyal({ cookie, origin, transports })), origin).toBe('Unauthorized')
      }
    }
  })

  it('Unauthorized without a cookie and with a bad token', async () => {
    const { id: sub } = await service.caller()
    const now = Math.floor(Date.now() / 1000)
    const tokens = [
      '',
      'garbage',
      await sign({ sub, exp: now + 60 }, 'another secret of thirty-two characters'),
      await sign({ sub, exp: now - 1 }, service.deps.jwtSecret),
      await sign({ sub: 'nobody', exp: now + 60 }, service.deps.jwtSecret),
      `${btoa('{"alg":"none","typ":"JWT"}')}.${btoa(JSON.stringify({ sub }))}.`,
    ]

    expect(await untilRefused(connectRoyal({}))).toBe('Unauthorized')
    for (const token of tokens) {
      expect(await untilRefused(connectRoyal({ cookie: `accessSessionToken=${token}` })), token).toBe('Unauthorized')
    }
  })

  it('takes the session from the cookie only, not from what the client says of itself', async () => {
    const { cookie } = await service.caller()
    const token = cookie.replace('accessSessionToken=', '')

    expect(await untilRefused(connectRoyal({ auth: { token, cookie }, query: { accessSessionToken: token } }))).toBe(
      'Unauthorized',
    )
  })

  it('Unauthorized for a deleted user', async () => {
    const { cookie, id } = await service.caller()
    await service.db.users.deleteOne({ _id: new ObjectId(id) })

    expect(await untilRefused(connectRoyal({ cookie }))).toBe('Unauthorized')
  })

  it('reads the token at the connect only', async () => {
    let now = Date.now()
    const aging = await startService({ clock: () => new Date(now) })
    const { cookie } = await aging.caller()
    const socket = await untilConnected(openClient(aging.baseUrl, '/royal', { cookie }))
    now += 3_600_000

    expect(await ask(socket, 'royal:sync')).toMatchObject({ ok: true })
    expect(await untilRefused(openClient(aging.baseUrl, '/royal', { cookie }))).toBe('Unauthorized')
    socket.disconnect()
    await aging.close()
  })

  it('Service Unavailable while the database cannot be reached, and lets in again after', async () => {
    const database = await startDatabaseProxy()
    const shaky = await startService({ mongodbUri: database.uri })
    const { cookie } = await shaky.caller()
    database.cut()
    try {
      expect(await untilRefused(openClient(shaky.baseUrl, '/royal', { cookie }))).toBe('Service Unavailable')
      // Who is nobody in any case is told so without the database.
      expect(await untilRefused(openClient(shaky.baseUrl, '/royal', { cookie: 'accessSessionToken=x' }))).toBe(
        'Unauthorized',
      )
    } finally {
      database.restore()
    }
    await vi.waitFor(() => untilConnected(openClient(shaky.baseUrl, '/royal', { cookie })), WAIT)
    await shaky.close()
    await dropDatabase(database.uri)
    await database.close()
  })
})
