import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { DomainError } from '../../lib/base/errors.ts'
import type { Namespace } from '../../lib/contract/namespaces/namespace.ts'
import { REQUESTS_MAX } from '../../realtime/bounds.ts'
import { defineNamespace } from '../../realtime/define-namespace.ts'
import { ask, openClient, untilConnected, untilDisconnected } from '../support/clients/clients.ts'
import { openRawNamespace, type RawSocket } from '../support/clients/raw-socket.ts'
import { insertGames } from '../support/scenes/royal-scene.ts'
import { captureLog } from '../support/service/capture-log.ts'
import { createPatientQueue } from '../support/service/patient-queue.ts'
import { useRealtime } from '../support/service/start-realtime.ts'
import { useService } from '../support/service/start-service.ts'
import { usedHeap } from '../support/tools/used-heap.ts'

const ack = z.unknown()
const facts = {
  path: '/trial',
  summary: 'Requests that go wrong in every way.',
  requests: {
    throw: { summary: 'Throws at once', payload: z.unknown(), ack },
    reject: { summary: 'Fails later', payload: z.unknown(), ack },
    refuse: { summary: 'Is refused', payload: z.unknown(), ack },
    crooked: { summary: 'Fails while it is validated', payload: z.unknown().transform(explode), ack },
    hold: { summary: 'Waits', payload: z.unknown(), ack },
    echo: { summary: 'Answers its payload', payload: z.unknown(), ack },
  },
  events: {},
} as const satisfies Namespace

function explode(): never {
  throw new Error('crooked')
}

let hold: Promise<void> = Promise.resolve()
let held = 0

const trial = defineNamespace(facts, {
  admits: 'anyone',
  requests: {
    throw: {
      failure: 'It failed',
      handle: () => {
        throw new TypeError('a fault of the service')
      },
    },
    reject: { failure: 'It failed later', handle: () => Promise.reject(new TypeError('a late fault')) },
    refuse: { failure: 'Refused', handle: () => Promise.reject(new DomainError('NOT_FOUND', 'secret')) },
    crooked: { failure: 'Crooked', handle: () => ({ ok: true }) },
    hold: {
      failure: 'Not held',
      handle: async () => {
        held += 1
        await hold
        return { ok: true }
      },
    },
    echo: { failure: 'No echo', handle: ({ payload }) => ({ ok: true, payload: payload ?? 'nothing' }) },
  },
})

const WAIT = { timeout: 30_000 }

const captured = captureLog('error')
const service = await useService({ queue: createPatientQueue() })
const realtime = await useRealtime({ ...service.deps, log: captured.log }, { more: trial })

const connect = () => untilConnected(openClient(realtime.baseUrl, '/trial'))
const openRoyal = (cookie: string) => openRawNamespace(realtime.port, '/royal', { headers: { cookie } })

it.each([
  ['throw', 'It failed', 'a fault of the service'],
  ['reject', 'It failed later', 'a late fault'],
  ['crooked', 'Crooked', 'crooked'],
])(
  'a fault of the service: %s: the failure text to the client, the fault to the log, and the socket stays',
  async (event, error, fault) => {
    const socket = await connect()
    captured.lines.length = 0

    expect(await ask(socket, event, {})).toEqual({ ok: false, error })
    expect(captured.lines).toEqual([
      expect.objectContaining({
        event,
        msg: 'a socket request failed',
        err: expect.objectContaining({ message: fault }),
      }),
    ])
    expect(await ask(socket, 'echo', 1)).toEqual({ ok: true, payload: 1 })
  },
)

it('a fault of the service without an ack leaves the socket open', async () => {
  const socket = await connect()
  for (const event of ['throw', 'reject', 'crooked', 'refuse']) socket.emit(event, {})

  expect(await ask(socket, 'echo', 1)).toEqual({ ok: true, payload: 1 })
})

it('a refusal of a verb is answered with the failure text, and is no fault', async () => {
  const socket = await connect()
  captured.lines.length = 0

  expect(await ask(socket, 'refuse', {})).toEqual({ ok: false, error: 'Refused' })
  expect(captured.lines).toEqual([])
})

/** Holds every request until the returned function is called. */
function holdRequests(): () => void {
  let release = () => {}
  hold = new Promise((resolve) => {
    release = resolve
  })
  held = 0
  return release
}

/** Keeps the queue of a user's royal list busy until the returned function is called. */
function takeTurn(userId: string): () => Promise<void> {
  const release = holdRequests()
  const turn = service.deps.queue.run(`royal:${userId}`, () => hold)
  return () => {
    release()
    return turn
  }
}

it('the allowed number of requests is answered, and then as many again', async () => {
  const socket = await connect()
  for (let round = 0; round < 2; round += 1) {
    const release = holdRequests()
    const acks = Promise.all(Array.from({ length: REQUESTS_MAX }, () => ask(socket, 'hold', {})))
    await expect.poll(() => held, WAIT).toBe(REQUESTS_MAX)
    release()

    expect((await acks).every(({ ok }) => ok)).toBe(true)
  }
})

it('one request more than the allowed number closes its socket, and no other', async () => {
  const [flooding, other] = await Promise.all([connect(), connect()])
  const release = holdRequests()
  const reason = untilDisconnected(flooding)
  for (let n = 0; n < REQUESTS_MAX + 1; n += 1) flooding.emit('hold', {}, () => {})

  expect(await reason).toMatch(/^transport (close|error)$/)
  expect(held).toBe(REQUESTS_MAX)
  expect(await ask(other, 'echo', 1)).toEqual({ ok: true, payload: 1 })
  release()
})

it('a waiting request is dropped when its socket is closed for too many', async () => {
  const [game = ''] = await insertGames(service.db, 1)
  const { cookie, id } = await service.caller()
  const endTurn = takeTurn(id)
  const raw = await openRoyal(cookie)
  const add = `42/royal,["royal:add",{"gameIds":["${game}"]}]`
  raw.send(...Array(REQUESTS_MAX + 1).fill(add))
  await raw.closed
  await endTurn()

  const tab = await untilConnected(openClient(realtime.baseUrl, '/royal', { cookie }))
  expect(await ask(tab, 'royal:sync')).toEqual({ ok: true, royalGames: [], rejected: [] })
})

it('a waiting request runs although its socket has closed', async () => {
  const [game = ''] = await insertGames(service.db, 1)
  const { cookie, id } = await service.caller()
  const endTurn = takeTurn(id)
  const closing = await untilConnected(openClient(realtime.baseUrl, '/royal', { cookie }))
  closing.emit('royal:add', { gameIds: [game] })
  // This answer comes at once, and shows that the request before it has arrived.
  await ask(closing, 'royal:add', {})
  closing.disconnect()
  await expect.poll(() => realtime.io.of('/royal').sockets.size, WAIT).toBe(0)
  await endTurn()

  const tab = await untilConnected(openClient(realtime.baseUrl, '/royal', { cookie }))
  expect(await ask(tab, 'royal:sync')).toEqual({ ok: true, royalGames: [game], rejected: [] })
})

const KB = 1024
const payload = JSON.stringify({ gameIds: Array.from({ length: 500 }, () => new ObjectId().toHexString()) })
const remove = (ack: number) => `42/royal,${ack}["royal:remove",${payload}]`
/** The number of requests that may wait together. Each takes 256 bytes besides its payload. */
const fitting = Math.floor((1024 * KB) / (payload.length + 256))
const isStillServed = async (raw: RawSocket) => {
  raw.send('42/royal,999["royal:add",{}]')
  expect(await raw.next()).toContain('43/royal,999[{"ok":false')
}

it('the waiting requests of one user keep no field outside the schema', async () => {
  const { cookie, id } = await service.caller()
  const [first, second] = [await openRoyal(cookie), await openRoyal(cookie)]
  const endTurn = takeTurn(id)
  const before = usedHeap()
  const junk = `42/royal,["royal:sync",{"junk":"${'x'.repeat(60 * KB)}"}]`
  for (let n = 0; n < 300; n += 1) for (const raw of [first, second]) raw.send(junk)
  await Promise.all([first, second].map(isStillServed))

  await expect.poll(() => usedHeap() - before, WAIT).toBeLessThan(8 * 1024 * KB)
  await endTurn()
  for (const { tcp } of [first, second]) tcp.destroy()
})

it('the waiting requests of one user beyond 1 MB close the oldest socket that waits, and no other', async () => {
  const { cookie, id } = await service.caller()
  const [idle, oldest, newer] = [await openRoyal(cookie), await openRoyal(cookie), await openRoyal(cookie)]
  const endTurn = takeTurn(id)
  for (let n = 0; n < fitting; n += 1) (n < 40 ? oldest : newer).send(remove(n))
  await Promise.all([idle, oldest, newer].map(isStillServed))
  newer.send(remove(fitting))
  await oldest.closed
  await Promise.all([idle, newer].map(isStillServed))

  await endTurn()
  for (let n = 40; n <= fitting; n += 1) expect(await newer.next()).toContain(`43/royal,${n}[{"ok":true`)
  for (const { tcp } of [idle, newer]) tcp.destroy()
})

it('the waiting requests of one user count until they are answered', async () => {
  const { cookie } = await service.caller()
  const raw = await openRoyal(cookie)
  for (let round = 0; round < 4; round += 1) {
    const acks = Array.from({ length: fitting / 2 }, (_, n) => n)
    raw.send(...acks.map(remove))
    for (const n of acks) expect(await raw.next()).toContain(`43/royal,${n}[{"ok":true`)
  }
  raw.tcp.destroy()
})

it('the oldest of more than 100 sockets of one user is closed', async () => {
  const { cookie } = await service.caller()
  const oldest = await openRoyal(cookie)
  const others = await Promise.all(Array.from({ length: 99 }, () => openRoyal(cookie)))
  expect(oldest.tcp.readyState).toBe('open')
  others.push(await openRoyal(cookie))
  await oldest.closed

  await expect.poll(() => realtime.io.of('/royal').sockets.size, WAIT).toBe(100)
  for (const { tcp } of others) tcp.destroy()
})
