import { ObjectId } from 'mongodb'
import type { Socket } from 'socket.io-client'
import { expect, it } from 'vitest'
import { ask, collect, openClient, untilConnected, untilDisconnected } from '../support/clients/clients.ts'
import { insertGames, unknownGame } from '../support/scenes/royal-scene.ts'
import { createPatientQueue } from '../support/service/patient-queue.ts'
import { useService } from '../support/service/start-service.ts'

const BOUNDS = 'Pick 1 to 500 games'
const SET_BOUNDS = 'At most 500 games'
const INVALID_ID = 'Invalid id'
const NO_OBJECT = 'The payload must be an object'

let a: string, b: string, c: string, d: string
const service = await useService({ queue: createPatientQueue() })
const games: string[] = await insertGames(service.db, 500)
;[a = '', b = '', c = '', d = ''] = games

const answer = (royalGames: string[], rejected: string[] = []) => ({ ok: true, royalGames, rejected })

async function signIn(tabs = 1): Promise<{ tab: Socket; tabs: Socket[]; id: string; cookie: string }> {
  const { cookie, id } = await service.caller()
  const open = () => untilConnected(openClient(service.baseUrl, '/royal', { cookie }))
  const all = await Promise.all(Array.from({ length: tabs }, open))
  const [tab] = all
  if (tab === undefined) throw new Error('no tab')
  return { tab, tabs: all, id, cookie }
}

/** Resolves with the events that a socket has received, after the answer to a later request. */
async function changesSeenBy(socket: Socket, seen: unknown[]): Promise<unknown[]> {
  await ask(socket, 'royal:sync')
  return seen
}

it('each request answers the list after it', async () => {
  const { tab } = await signIn()

  expect(await ask(tab, 'royal:sync', {})).toEqual(answer([]))
  expect(await ask(tab, 'royal:add', { gameIds: [a, b] })).toEqual(answer([a, b]))
  expect(await ask(tab, 'royal:add', { gameIds: [c], position: 'start' })).toEqual(answer([c, a, b]))
  expect(await ask(tab, 'royal:add', { gameIds: [d], position: 'end' })).toEqual(answer([c, a, b, d]))
  expect(await ask(tab, 'royal:remove', { gameIds: [a, unknownGame()] })).toEqual(answer([c, b, d]))
  expect(await ask(tab, 'royal:set', { gameIds: [d, a, d] })).toEqual(answer([d, a]))
  expect(await ask(tab, 'royal:sync', {})).toEqual(answer([d, a]))
  expect(await ask(tab, 'royal:move', { gameId: a, before: d })).toEqual(answer([a, d]))
  expect(await ask(tab, 'royal:move', { gameId: a, before: null })).toEqual(answer([d, a]))
  expect(await ask(tab, 'royal:move', { gameId: b, before: d })).toEqual(answer([d, a], [b]))
  expect(await ask(tab, 'royal:set', { gameIds: [] })).toEqual(answer([]))
})

it('ids are accepted in any case and answered in lower case', async () => {
  const { tab } = await signIn()
  const unknown = unknownGame()

  expect(
    await ask(tab, 'royal:add', { gameIds: [a.toUpperCase(), a, unknown.toUpperCase(), unknown, b.toUpperCase()] }),
  ).toEqual(answer([a, b], [unknown]))
  expect(await ask(tab, 'royal:set', { gameIds: [b, b.toUpperCase(), unknown.toUpperCase()] })).toEqual(
    answer([b], [unknown]),
  )
  await ask(tab, 'royal:set', { gameIds: [a, b] })
  expect(await ask(tab, 'royal:move', { gameId: b.toUpperCase(), before: a.toUpperCase() })).toEqual(answer([b, a]))
  expect(await ask(tab, 'royal:move', { gameId: unknown.toUpperCase(), before: a })).toEqual(answer([b, a], [unknown]))
  expect(await ask(tab, 'royal:remove', { gameIds: [a, b.toUpperCase()] })).toEqual(answer([]))
})

const LONG = Array(501).fill('a'.repeat(24))
const WRONG_LISTS = [undefined, null, 7, 'abc', {}, { length: 1, 0: 'a'.repeat(24) }]
const WRONG_IDS = [[''], ['abc'], [7], [null], [['a'.repeat(24)]], ['g'.repeat(24)], ['a'.repeat(25)], [{}]]
const NO_OBJECTS = [7, 'text', true, [], ['a'.repeat(24)]]

const WRONG_PAYLOADS = [
  ...['royal:add', 'royal:remove'].flatMap((event) => [
    ...[...WRONG_LISTS, [], LONG].map((gameIds) => [event, { gameIds }, BOUNDS] as const),
    [event, {}, BOUNDS] as const,
  ]),
  ...[...WRONG_LISTS, LONG].map((gameIds) => ['royal:set', { gameIds }, SET_BOUNDS] as const),
  ['royal:set', {}, SET_BOUNDS] as const,
  ...[undefined, null, 7, '', 'abc', {}, ['a'.repeat(24)]].flatMap((id) => [
    ['royal:move', { gameId: id, before: null }, INVALID_ID] as const,
    ...(id === null ? [] : [['royal:move', { gameId: 'a'.repeat(24), before: id }, INVALID_ID] as const]),
  ]),
  ['royal:move', null, NO_OBJECT] as const,
  ...['royal:add', 'royal:remove', 'royal:set'].flatMap((event) => [
    ...WRONG_IDS.map((gameIds) => [event, { gameIds }, INVALID_ID] as const),
    [event, null, NO_OBJECT] as const,
  ]),
  ...['royal:sync', 'royal:add', 'royal:remove', 'royal:set', 'royal:move'].flatMap((event) =>
    NO_OBJECTS.map((payload) => [event, payload, NO_OBJECT] as const),
  ),
  ...['middle', '', null, 1].map(
    (position) => ['royal:add', { gameIds: ['a'.repeat(24)], position }, 'The position is start or end'] as const,
  ),
]
const NEED_A_PAYLOAD = ['royal:add', 'royal:remove', 'royal:set', 'royal:move']

it('a wrong payload is refused with its reason, and changes nothing', async () => {
  const { tab } = await signIn()
  await ask(tab, 'royal:set', { gameIds: [a] })

  for (const [event, payload, error] of WRONG_PAYLOADS)
    expect(await ask(tab, event, payload), `${event} ${JSON.stringify(payload)}`).toEqual({ ok: false, error })
  for (const event of NEED_A_PAYLOAD) expect(await ask(tab, event), event).toEqual({ ok: false, error: NO_OBJECT })
  expect(await ask(tab, 'royal:sync')).toEqual(answer([a]))
})

it('royal:changed goes to the other sockets of the user and to nobody else', async () => {
  const { tab, tabs } = await signIn(3)
  const other = await signIn()
  const reader = await untilConnected(openClient(service.baseUrl, '/comments'))
  const seen = [...tabs, other.tab].map((socket) => collect(socket, 'royal:changed'))
  const seenByReader = collect(reader, 'royal:changed')
  const added = await ask(tab, 'royal:add', { gameIds: [a, b] })

  const changes = await Promise.all(
    [...tabs, other.tab].map((socket, index) => changesSeenBy(socket, seen[index] ?? [])),
  )
  const change = { royalGames: added.royalGames }
  expect(changes).toEqual([[], [change], [change], []])
  await ask(reader, 'discussion:leave', { gameId: a })
  expect(seenByReader).toEqual([])
})

it('royal:changed is sent in the order of the writes, for any requests at once', async () => {
  const { tabs } = await signIn(4)
  const watcher = tabs[3] as Socket
  const seen = collect(watcher, 'royal:changed') as { royalGames: string[] }[]
  const acks = await Promise.all(
    Array.from({ length: 90 }, (_, n) => {
      const gameIds = [games[n % 7] ?? '', games[n % 11] ?? '']
      const [gameId, before] = gameIds
      const event = (['royal:add', 'royal:remove', 'royal:set', 'royal:move'] as const)[n % 4] ?? ''
      return ask(tabs[n % 3] as Socket, event, { gameIds, gameId, before })
    }),
  )
  await changesSeenBy(watcher, seen)

  expect(acks.every(({ ok }) => ok)).toBe(true)
  expect(seen.length).toBeGreaterThan(30)
  // Every event differs from the one before it, and the last one carries the final list.
  for (const [index, { royalGames }] of seen.entries()) {
    if (index > 0) expect(royalGames).not.toEqual(seen[index - 1]?.royalGames)
  }
  expect(await ask(watcher, 'royal:sync')).toEqual(answer(seen.at(-1)?.royalGames ?? []))
})

it('requests of one user run in the order of their arrival, with the check that games exist', async () => {
  const { tab } = await signIn()
  // Only the first request reads games. Without the queue the second would write first, and the games would stay.
  for (let round = 0; round < 5; round += 1) {
    const acks = await Promise.all([
      ask(tab, 'royal:add', { gameIds: games.slice(0, 500) }),
      ask(tab, 'royal:remove', { gameIds: games.slice(1, 500) }),
      ask(tab, 'royal:sync'),
      ask(tab, 'royal:set', { gameIds: [] }),
      ask(tab, 'royal:sync'),
    ])

    expect(acks).toEqual([answer(games.slice(0, 500)), answer([a]), answer([a]), answer([]), answer([])])
  }
})

it('a deleted account loses its sockets, and a request under way does not bring it back', async () => {
  const { tab, id } = await signIn()
  const reason = untilDisconnected(tab)
  const _id = new ObjectId(id)
  await service.db.users.deleteOne({ _id })
  tab.emit('royal:add', { gameIds: [a] })

  expect(await reason).toMatch(/^transport (close|error)$/)
  expect(await service.db.users.findOne({ _id })).toBeNull()
})
