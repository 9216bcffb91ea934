import type { IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Manager } from 'socket.io-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, untilConnected, untilDisconnected, untilRefused } from '../support/clients/clients.ts'
import { openRaw, openRawNamespace, type RawSocket } from '../support/clients/raw-socket.ts'
import { FOREIGN_SITE, SITE, startService } from '../support/service/start-service.ts'

const WAIT = { timeout: 30_000 }

const service = await startService()
afterAll(() => service.close())

const GAME = 'ab'.repeat(12)
const LIST = { ok: true, royalGames: [], rejected: [] }

/** One connection for several namespaces. */
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
    it('/royal opens after /comments', async () => {
      const { cookie } = await service.caller()
      const connection = openConnection({ cookie, origin: SITE }, transports)
      const comments = await untilConnected(connection.of('/comments'))
      expect(await ask(comments, 'discussion:join', { gameId: GAME })).toEqual({ ok: true })
      const royal = await untilConnected(connection.of('/royal'))

      expect(await ask(royal, 'royal:sync')).toEqual(LIST)
      connection.close()
    })

    it('/comments opens after /royal, and /royal again after it was left', async () => {
      const { cookie } = await service.caller()
      const connection = openConnection({ cookie }, transports)
      const royal = await untilConnected(connection.of('/royal'))
      const comments = await untilConnected(connection.of('/comments'))
      expect(await ask(comments, 'discussion:join', { gameId: GAME })).toEqual({ ok: true })

      royal.disconnect()
      await ask(comments, 'discussion:join', { gameId: GAME })
      royal.connect()
      await untilConnected(royal)
      expect(await ask(royal, 'royal:sync')).toEqual(LIST)
      connection.close()
    })

    it('the origin still counts for the namespace that is opened later', async () => {
      const { cookie } = await service.caller()
      const connection = openConnection({ cookie, origin: FOREIGN_SITE }, transports)
      await untilConnected(connection.of('/comments'))

      expect(await untilRefused(connection.of('/royal'))).toBe('Unauthorized')
      connection.close()
    })

    it('without a cookie /royal stays closed, and /comments open', async () => {
      const connection = openConnection({}, transports)
      const comments = await untilConnected(connection.of('/comments'))

      expect(await untilRefused(connection.of('/royal'))).toBe('Unauthorized')
      expect(await ask(comments, 'discussion:join', { gameId: GAME })).toEqual({ ok: true })
      const gone = untilDisconnected(comments)
      connection.close()
      await gone
    })
  },
)

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Opens by polling and goes on over WebSocket, as browsers do. */
async function openUpgraded(port: number): Promise<RawSocket> {
  const url = `${service.baseUrl}/socket.io/?EIO=4&transport=polling`
  const { sid } = JSON.parse((await (await fetch(url)).text()).slice(1))
  await fetch(`${url}&sid=${sid}`, { method: 'POST', body: '40/comments,' })
  await (await fetch(`${url}&sid=${sid}`)).text()
  const raw = await openRaw(port, { path: `/socket.io/?EIO=4&transport=websocket&sid=${sid}` })
  raw.send('2probe')
  await raw.next()
  raw.send('5')
  raw.send(`42/comments,1["discussion:join",{"gameId":"${GAME}"}]`)
  expect(await raw.next()).toBe('43/comments,1[{"ok":true}]')
  return raw
}

describe('an idle socket', () => {
  let requests: WeakRef<IncomingMessage>[]
  beforeAll(() => {
    const remember = (request: IncomingMessage) => void requests.push(new WeakRef(request))
    service.http.on('request', remember).on('upgrade', remember)
  })
  beforeEach(() => {
    requests = []
  })

  function countKept(): number {
    collectGarbage()
    return requests.filter((request) => request.deref() !== undefined).length
  }

  it.each([
    ['over WebSocket', () => openRawNamespace(service.port, '/comments'), 1],
    ['that was upgraded', () => openUpgraded(service.port), 4],
  ])('keeps no request alive: %s', async (_how, open, requestsEach) => {
    const sockets = await Promise.all(Array.from({ length: 40 }, open))
    // A client of an earlier test may still be taking its leave.
    expect(requests.length).toBeGreaterThanOrEqual(40 * requestsEach)

    await expect.poll(countKept, WAIT).toBeLessThan(10)
    for (const { tcp } of sockets) tcp.destroy()
  })
})
