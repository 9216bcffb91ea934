import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { upgradeRequest } from '../support/clients/raw-socket.ts'
import { useRealtime } from '../support/service/start-realtime.ts'
import { useService } from '../support/service/start-service.ts'

const WAIT = { timeout: 30_000 }

const upgradeOf = (path: string) => upgradeRequest({ path })

/** Opens a connection whose half on this side stays open. */
async function openTcp(port: number): Promise<{ tcp: Socket; received(): string; ended: Promise<unknown> }> {
  const tcp = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const chunks: string[] = []
  tcp.on('data', (bytes) => chunks.push(bytes.toString()))
  tcp.on('error', () => {})
  await once(tcp, 'connect')
  return { tcp, received: () => chunks.join(''), ended: once(tcp, 'end') }
}

const service = await useService()

const FOREIGN_PATHS = ['/', '/socket.io', '/socket.iox', '/v1/socket.io/']

it.each(FOREIGN_PATHS)('404 at once: %s', async (path) => {
  let tookMs = Number.POSITIVE_INFINITY
  // The best of a few tries counts, because the machine may be busy.
  for (let tries = 0; tries < 5 && tookMs >= 900; tries += 1) {
    const startedAt = performance.now()
    const { tcp, received, ended } = await openTcp(service.port)
    tcp.write(upgradeOf(path))
    await ended
    tookMs = performance.now() - startedAt

    expect(received()).toMatch(/^HTTP\/1.1 404 Not Found\r\nConnection: close\r\n/)
    tcp.destroy()
  }
  expect(tookMs).toBeLessThan(900)
})

it('404 at once on a connection that was used before', async () => {
  const { tcp, received, ended } = await openTcp(service.port)
  tcp.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(received, WAIT).toContain('There is nothing at this address')
  tcp.write(upgradeOf('/elsewhere'))
  await ended

  expect(received().match(/HTTP\/1.1 404/g)).toHaveLength(2)
  tcp.destroy()
})

it('a refused upgrade leaves no connection, although its client does not close its half', async () => {
  const realtime = await useRealtime(service.deps)
  const connections = await Promise.all(Array.from({ length: 50 }, () => openTcp(realtime.port)))
  for (const [index, { tcp }] of connections.entries()) {
    tcp.write(upgradeOf(FOREIGN_PATHS[index % FOREIGN_PATHS.length] ?? '/'))
  }
  await Promise.all(connections.map(({ ended }) => ended))

  await expect.poll(realtime.countConnections, WAIT).toBe(0)
  for (const { tcp } of connections) tcp.destroy()
})
