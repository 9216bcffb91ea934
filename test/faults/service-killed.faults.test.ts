import { afterAll, expect, it, vi } from 'vitest'
import { createCaller } from '../support/clients/caller.ts'
import { openClient } from '../support/clients/clients.ts'
import { type Device, logInDevice } from '../support/clients/device.ts'
import { type SpawnedService, spawnService } from '../support/processes/spawn-service.ts'
import { SITE } from '../support/service/start-service.ts'
import { useFolder } from '../support/service/use-folder.ts'

let running: SpawnedService | undefined

const dataDir = await useFolder()
afterAll(async () => {
  await running?.end('SIGTERM')
})

const ENV = { COMMENTS_PER_MINUTE: '100000', COMMENT_CHANGES_PER_MINUTE: '100000' }

async function start(env: Record<string, string> = {}): Promise<SpawnedService> {
  running = await spawnService({ ...ENV, ...env, DATA_DIR: dataDir })
  await running.ready()
  return running
}

const signIn = (service: SpawnedService) =>
  logInDevice(createCaller(service), { email: 'alice@example.com', password: 'gamehall-demo' })

async function someGames(caller: Device): Promise<string[]> {
  const { body } = await caller.get('/games/search?searchString=the&take=50')
  return body.results.map(({ _id }: { _id: string }) => _id)
}

const openRoyal = ({ baseUrl }: SpawnedService, device: Device) =>
  openClient(baseUrl, '/royal', { cookie: device.header('/'), origin: SITE })

it('a service that is killed loses nothing it acknowledged', async () => {
  let service = await start()
  let alice = await signIn(service)
  const games = await someGames(alice)
  const [gameId] = games
  const socket = openRoyal(service, alice)
  const cleared = await socket.emitWithAck('royal:set', { gameIds: [] })
  expect(cleared).toMatchObject({ ok: true })

  const acknowledged: string[] = []
  let royalGames: string[] = []
  let isAlive = true
  const writers = Array.from({ length: 8 }, async () => {
    while (isAlive) {
      const answer = await alice.post('/comments', { body: { gameId, body: 'Still here' } }).catch(() => undefined)
      if (answer?.status === 201) acknowledged.push(answer.body._id)
    }
  })
  socket.on('disconnect', () => {
    isAlive = false
  })
  const addAll = async () => {
    for (const game of games) {
      const ack = await socket.emitWithAck('royal:add', { gameIds: [game] })
      royalGames = ack.royalGames
    }
  }
  // The kill takes away the ack of the request under way.
  const adding = addAll().catch(() => undefined)
  await vi.waitUntil(() => acknowledged.length > 40 && royalGames.length > 3, { timeout: 60_000, interval: 1 })
  await service.end('SIGKILL')
  isAlive = false
  await Promise.all([...writers, adding])

  service = await start()
  alice = await signIn(service)
  const stored = new Set<string>()
  for (let page = 1; ; page++) {
    const { body } = await alice.get(`/games/${gameId}/comments?sort=new&take=50&page=${page}`)
    for (const { _id } of body.results) stored.add(_id)
    if (body.results.length === 0) break
  }
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])

  const socketAgain = openRoyal(service, alice)
  const { royalGames: kept } = await socketAgain.emitWithAck('royal:sync', {})
  expect(kept.slice(0, royalGames.length)).toEqual(royalGames)
}, 360_000)

it('a clean stop keeps data and session, also when the signal is repeated', async () => {
  const first = running ?? (await start())
  const alice = await signIn(first)
  const [gameId] = await someGames(alice)
  const { body: comment } = await alice.post('/comments', { body: { gameId, body: 'Before the restart' } })
  first.child.kill('SIGTERM')
  first.child.kill('SIGINT')
  expect(await first.end('SIGTERM')).toBe(0)

  const again = await start()
  const withOldCookie = createCaller({ baseUrl: again.baseUrl })
  const { body } = await withOldCookie.get(`/games/${gameId}/comments?sort=new&take=1`, {
    headers: { cookie: alice.header('/') },
  })
  expect(body.results[0]).toMatchObject({ _id: comment._id, isLiked: false })
  const like = await withOldCookie.post('/comments', {
    headers: { cookie: alice.header('/') },
    body: { gameId, body: 'After it' },
  })
  expect(like.status).toBe(201)
})
