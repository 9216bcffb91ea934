import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Socket } from 'socket.io-client'
import { afterAll, expect, it } from 'vitest'
import { createCaller } from '../support/clients/caller.ts'
import { openClient, untilConnected } from '../support/clients/clients.ts'
import { freePort } from '../support/processes/free-port.ts'
import { startNginx } from '../support/processes/start-nginx.ts'
import { insertComment, insertGame, insertUser } from '../support/rows/rows.ts'
import { acquireDatabase, releaseDatabase } from '../support/service/database-pool.ts'
import { BUSY_MACHINE_MS, startService, type TestService } from '../support/service/start-service.ts'

const mongodbUri = await acquireDatabase()
const instances: TestService[] = []

const startInstance = (port: number) =>
  startService({ mongodbUri, env: { TRUST_PROXY: '1', PORT: String(port) }, timeoutMs: BUSY_MACHINE_MS })

instances.push(await startInstance(await freePort()), await startInstance(await freePort()))
const nginx = await startNginx('alone', { gamehall: instances.map(({ port }) => port) })
afterAll(async () => {
  await nginx.close()
  for (const instance of instances) await instance.close()
  await releaseDatabase(mongodbUri)
})

function connect(address: string, transports: ('polling' | 'websocket')[]): Promise<Socket> {
  const agent = new Agent({ localAddress: address, keepAlive: true })
  // The types of the browser know no agent; in Node it is handed on to the request.
  const options = { transports, agent, reconnection: true } as object
  return untilConnected(openClient(nginx.baseUrl, '/comments', options))
}

/** Opens sockets of many addresses: each polls first, and every second one upgrades. */
const openReaders = () =>
  Promise.all(
    Array.from({ length: 32 }, (_, index) =>
      connect(`127.0.0.${index + 2}`, index % 2 === 0 ? ['polling'] : ['polling', 'websocket']),
    ),
  )

const countSockets = async ({ deps }: TestService) =>
  (await deps.metrics.sockets.get()).values.find(({ labels }) => labels.namespace === '/comments')?.value ?? 0

it('clients are spread, each polls one instance, and all receive a like', async () => {
  const gameId = await insertGame(instances[0]?.db as TestService['db'])
  const readers = await openReaders()
  const likes = readers.map((reader) => new Promise((resolve) => reader.once('comment:likes', resolve)))
  for (const reader of readers) {
    expect(await reader.emitWithAck('discussion:join', { gameId: gameId.toHexString() })).toEqual({ ok: true })
  }
  const [first, second] = instances as [TestService, TestService]
  const counts = await Promise.all([countSockets(first), countSockets(second)])
  expect(counts[0]).toBeGreaterThan(0)
  expect(counts[1]).toBeGreaterThan(0)

  const author = await insertUser(first.deps, { userName: 'author' })
  const commentId = await insertComment(first.db, { gameId, userId: author._id })
  const caller = createCaller({
    baseUrl: nginx.baseUrl,
    user: await insertUser(first.deps, { userName: 'liker' }),
  })
  expect((await caller.put(`/comments/${commentId.toHexString()}/like`)).status).toBe(200)

  const event = { gameId: gameId.toHexString(), commentId: commentId.toHexString(), likesCount: 1 }
  expect(await Promise.all(likes)).toEqual(readers.map(() => event))
})

it('two instances behind nginx are restarted one after the other without a failed request, also while sockets are open', async () => {
  await openReaders()
  const answers: number[] = []
  let isDone = false
  const ask = (address: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${nginx.baseUrl}/platforms`, { localAddress: address }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      })
      sent.on('error', reject).end()
    })
  const load = Promise.all(
    ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'].map(async (address) => {
      for (; !isDone; await sleep(5)) answers.push(await ask(address))
    }),
  )
  for (const [index, instance] of instances.entries()) {
    const { port } = instance
    await instance.close()
    instances[index] = await startInstance(port)
    // Whoever restarts containers one by one waits until each is healthy.
    const served = answers.length
    await expect.poll(() => answers.length).toBeGreaterThan(served + 50)
  }
  isDone = true
  await load

  expect(answers.length).toBeGreaterThan(0)
  expect(
    answers.filter((status) => status !== 200),
    nginx.log(),
  ).toEqual([])
})
