import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { io } from 'socket.io-client'
import { expect, it, vi } from 'vitest'
import { spawnService } from '../../support/processes/spawn-service.ts'
import { newDatabaseUri } from '../../support/service/database-pool.ts'
import { useFolder } from '../../support/service/use-folder.ts'
import { timeUnpaused } from '../../support/service/watch-pauses.ts'

const WAIT = 60_000

const dataDir = await useFolder()

async function begin(url: string, length: number): Promise<ClientRequest> {
  const headers = { 'content-type': 'application/json', 'content-length': length, expect: '100-continue' }
  const sent = request(url, { method: 'POST', headers })
  sent.flushHeaders()
  await once(sent, 'continue')
  return sent
}

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a signal: %s while the database is awaited ends the start with 0',
  async (signal) => {
    const nowhere = 'mongodb://127.0.0.1:1/x?replicaSet=none'
    const service = await spawnService({ MONGODB_URI: nowhere, DATA_DIR: dataDir })
    await vi.waitUntil(() => service.output().includes('Waiting for the database'), WAIT)
    const { result, tookMs } = await timeUnpaused(() => service.end(signal))

    expect(result).toBe(0)
    expect(tookMs).toBeLessThan(8_000)
  },
  120_000,
)

it('503 of /readyz from a signal on, and everything else is served for DRAIN_SECONDS', async () => {
  const service = await spawnService({ MONGODB_URI: newDatabaseUri(), DATA_DIR: dataDir, DRAIN_SECONDS: '3' })
  await service.ready()
  const startedAt = performance.now()
  const ended = service.end('SIGTERM')
  const statusOf = async (path: string) => (await fetch(service.baseUrl + path)).status
  await vi.waitUntil(async () => (await statusOf('/readyz')) === 503, WAIT)

  expect(await statusOf('/platforms')).toBe(200)
  expect(await ended).toBe(0)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(3_000)
  expect(service.output()).toContain('about to stop: /readyz answers 503')
}, 120_000)

it('a signal lets a request in hand finish, sends clients to reconnect, and ends with 0 although an upload hangs', async () => {
  const service = await spawnService({ MONGODB_URI: newDatabaseUri(), DATA_DIR: dataDir })
  await service.ready()
  const reasons: string[] = []
  const socket = io(`${service.baseUrl}/comments`, { transports: ['websocket'], reconnection: false })
  socket.on('disconnect', (reason) => reasons.push(reason))
  await vi.waitUntil(() => socket.connected, WAIT)

  const body = JSON.stringify({ userName: 'late', email: 'late@example.com', password: 'a long password' })
  const inHand = await begin(`${service.baseUrl}/auth/signup`, body.length)
  const hanging = await begin(`${service.baseUrl}/auth/login`, body.length)
  hanging.on('error', () => {})
  const ended = timeUnpaused(() => service.end('SIGTERM'))

  await vi.waitUntil(() => reasons.length > 0, WAIT)
  inHand.end(body)
  const [answer] = await once(inHand, 'response')

  expect(answer.statusCode).toBe(200)
  answer.resume()
  const { result, tookMs } = await ended
  expect(result).toBe(0)
  expect(tookMs).toBeLessThan(12_000)
  expect(reasons).toEqual(['transport close'])
})
