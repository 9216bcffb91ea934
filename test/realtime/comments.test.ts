import { expect, it } from 'vitest'
import { ask, collect, openClient, untilConnected } from '../support/clients/clients.ts'
import { openRawNamespace } from '../support/clients/raw-socket.ts'
import { useService } from '../support/service/start-service.ts'

const gameIdOf = (n: number) => n.toString(16).padStart(24, '0')
const GAME = 'abcdef0123456789abcdef01'
const OTHER_GAME = gameIdOf(99)
const OK = { ok: true }
const INVALID = { ok: false, error: 'Invalid game id' }
const TOO_MANY = { ok: false, error: 'Too many discussions followed' }

const service = await useService()

const connect = () => untilConnected(openClient(service.baseUrl, '/comments'))

const announce = (gameId: string) =>
  service.deps.emit.comments.likes({ gameId, commentId: 'cd'.repeat(12), likesCount: 1 })

/** Resolves with the events that a socket has received, after the answer to a later request. */
async function seenBy(socket: Awaited<ReturnType<typeof connect>>, seen: unknown[]) {
  await ask(socket, 'discussion:leave', { gameId: OTHER_GAME })
  return seen
}

const WRONG = [
  undefined,
  null,
  7,
  'abcdef0123456789abcdef01',
  [],
  {},
  { gameId: null },
  { gameId: { toString: GAME } },
  { gameId: GAME.slice(1) },
  { gameId: `${GAME}0` },
  { gameId: `${GAME}\n` },
  { gameId: Buffer.from(GAME) },
]

it('discussion:join follows one game whatever the case of its id', async () => {
  const reader = await connect()
  const seen = collect(reader, 'comment:likes')

  expect(await ask(reader, 'discussion:join', { gameId: GAME.toUpperCase() })).toEqual(OK)
  expect(await ask(reader, 'discussion:join', { gameId: GAME })).toEqual(OK)
  announce(GAME)
  expect(await seenBy(reader, seen)).toHaveLength(1)

  expect(await ask(reader, 'discussion:leave', { gameId: GAME.toUpperCase() })).toEqual(OK)
  announce(GAME)
  expect(await seenBy(reader, seen)).toHaveLength(1)
})

it('discussion:join follows at most 10 games; a repeat succeeds, a place that was left is free, and each socket has its own', async () => {
  const reader = await connect()
  for (let n = 1; n <= 10; n += 1) expect(await ask(reader, 'discussion:join', { gameId: gameIdOf(n) })).toEqual(OK)

  expect(await ask(reader, 'discussion:join', { gameId: gameIdOf(11) })).toEqual(TOO_MANY)
  expect(await ask(reader, 'discussion:join', { gameId: gameIdOf(3) })).toEqual(OK)
  expect(await ask(reader, 'discussion:join', { gameId: gameIdOf(11) })).toEqual(TOO_MANY)

  expect(await ask(reader, 'discussion:leave', { gameId: gameIdOf(3) })).toEqual(OK)
  expect(await ask(reader, 'discussion:join', { gameId: gameIdOf(11) })).toEqual(OK)
  expect(await ask(reader, 'discussion:join', { gameId: gameIdOf(3) })).toEqual(TOO_MANY)
  expect(await ask(reader, 'discussion:leave', { gameId: gameIdOf(3) })).toEqual(OK)
  expect(await ask(await connect(), 'discussion:join', { gameId: gameIdOf(3) })).toEqual(OK)
})

it('discussion:join follows 10 games when 1000 are requested at once', async () => {
  const reader = await connect()
  const seen = collect(reader, 'comment:likes')
  const games = Array.from({ length: 1000 }, (_, n) => gameIdOf(n + 1))
  const acks = await Promise.all(games.map((gameId) => ask(reader, 'discussion:join', { gameId })))

  expect(acks.slice(0, 10)).toEqual(Array(10).fill(OK))
  expect(acks.slice(10)).toEqual(Array(990).fill(TOO_MANY))
  for (const gameId of games) announce(gameId)
  expect(await seenBy(reader, seen)).toHaveLength(10)
})

it('discussion:join works without an ack, and with one that is no function', async () => {
  const raw = await openRawNamespace(service.port, '/comments')
  raw.send(`42/comments,["discussion:join",{"gameId":"${GAME}"}]`)
  raw.send(`42/comments,["discussion:join",{"gameId":"${gameIdOf(1)}"},"ack"]`)
  raw.send(`42/comments,["discussion:join"]`)
  raw.send(`42/comments,5["discussion:join",{"gameId":"${gameIdOf(2)}"},{"more":true}]`)
  expect(await raw.next()).toBe('43/comments,5[{"ok":true}]')

  for (const gameId of [GAME, gameIdOf(1), gameIdOf(2)]) {
    announce(gameId)
    expect(await raw.next()).toContain(gameId)
  }
  raw.tcp.destroy()
})

it('discussion:leave ends the events of that game only', async () => {
  const reader = await connect()
  const seen = collect(reader, 'comment:likes')
  await ask(reader, 'discussion:join', { gameId: GAME })
  await ask(reader, 'discussion:join', { gameId: gameIdOf(1) })

  expect(await ask(reader, 'discussion:leave', { gameId: GAME })).toEqual(OK)
  announce(GAME)
  announce(gameIdOf(1))
  expect(await seenBy(reader, seen)).toEqual([expect.objectContaining({ gameId: gameIdOf(1) })])
})

it.each(['discussion:join', 'discussion:leave'])('%s: Invalid game id for anything else', async (event) => {
  const reader = await connect()
  for (const payload of WRONG) {
    expect(await ask(reader, event, payload), JSON.stringify(payload)).toEqual(INVALID)
  }
  expect(await ask(reader, event)).toEqual(INVALID)
})
