import { Manager } from 'socket.io-client'
import { describe, expect, it } from 'vitest'
import { ask, untilConnected, untilRefused } from '../support/clients/clients.ts'
import { FOREIGN_SITE, SITE, useService } from '../support/service/start-service.ts'

const service = await useService()

const GAME = 'ab'.repeat(12)
const LIST = { ok: true, royalGames: [], rejected: [] }

function openConnection(headers: Record<string, string>, transports: string[]) {
  const manager = new Manager(service.baseUrl, {
    transports,
    reconnection: false,
    extraHeaders: headers,
    forceNew: true,
  })
  return {
    of: (namespace: string) => manager.socket(namespace),
    close: () => manager.engine.close(),
  }
}

describe.each([[['websocket']], [['polling']], [['polling', 'websocket']]])(
  'on one connection over %j',
  (transports) => {
    it('/royal opens after /comments, and again after it was left', async () => {
      const { cookie } = await service.caller()
      const connection = openConnection({ cookie, origin: SITE }, transports)
      const comments = await untilConnected(connection.of('/comments'))
      expect(await ask(comments, 'discussion:join', { gameId: GAME })).toEqual({ ok: true })
      const royal = await untilConnected(connection.of('/royal'))
      expect(await ask(royal, 'royal:sync')).toEqual(LIST)

      royal.disconnect()
      await ask(comments, 'discussion:join', { gameId: GAME })
      royal.connect()
      await untilConnected(royal)
      expect(await ask(royal, 'royal:sync')).toEqual(LIST)
      connection.close()
    })

    it.each([
      ['of a foreign origin', async () => ({ cookie: (await service.caller()).cookie, origin: FOREIGN_SITE })],
      ['without a cookie', async () => ({})],
    ])('/royal stays closed %s, and /comments open', async (_whose, toHeaders) => {
      const connection = openConnection(await toHeaders(), transports)
      const comments = await untilConnected(connection.of('/comments'))
      expect(await untilRefused(connection.of('/royal'))).toBe('Unauthorized')
      expect(await ask(comments, 'discussion:join', { gameId: GAME })).toEqual({ ok: true })
      connection.close()
    })
  },
)
