import { openDatabase, prepareDatabase } from '../../lib/db/connect.ts'
import { type Child, startChild } from './child.ts'
import { load, median } from './load.ts'
import { heading, line, micros, ratio } from './report.ts'
import { fillScene, type Scene, VOTES } from './scene.ts'

const ROUNDS = 7
const CONNECTIONS = 10
/** In the room of the voted game, on each instance. */
const SOCKETS = 50
/** Of one round, one a turn. */
const EVENTS = 400

interface Instance {
  name: string
  scene: Scene
  server: Child
  port: number
  readers: Child
}

type Measure = (instance: Instance) => Promise<number>

async function start(name: string, uri: string, scene: Scene): Promise<Instance> {
  const env = { BENCH_MONGODB_URI: uri, BENCH_VIEWER: scene.viewer.id }
  const [server, readers] = [await startChild('./servers/gamehall.ts', env), await startChild('./servers/readers.ts')]
  const port = await server.ask('port')
  await readers.ask('open', { port, gameId: scene.votedGame, count: SOCKETS })
  return { name, scene, server, port, readers }
}

const read: Measure = async ({ server, port, scene: { gameId, viewer } }) => {
  const { cpuMicros } = await load({
    server,
    port,
    requests: VOTES,
    connections: CONNECTIONS,
    send: (pool) =>
      pool.request({ method: 'GET', path: `/games/${gameId}/comments`, headers: { cookie: viewer.cookie } }),
  })
  return cpuMicros
}

const deliver: Measure = async ({ server, readers, scene: { votedGame: gameId } }) => {
  const deliveries = EVENTS * SOCKETS
  await readers.ask('expect', deliveries)
  const before = await server.ask('cpu')
  for (let event = 0; event < EVENTS; event++) await server.ask('announce', { gameId, events: 1 })
  await readers.ask('arrived')
  return ((await server.ask('cpu')) - before) / deliveries
}

/** Both of the pair against the one alone, by turns; the first round warms all up. */
async function compare(title: string, measure: Measure, alone: Instance, pair: readonly Instance[]): Promise<void> {
  const costs = new Map([alone, ...pair].map((instance): [Instance, number[]] => [instance, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const [instance, measured] of costs) {
      const cost = await measure(instance)
      if (round >= 0) measured.push(cost)
    }
  }
  heading(title)
  for (const [{ name }, measured] of costs) line(name, `${median(measured).toFixed(1)} µs CPU`)
  const [first = Number.NaN, ...others] = [...costs.values()].map(median)
  for (const [index, cost] of others.entries()) {
    ratio(`${pair[index]?.name} / one alone`, cost / first, { atMost: 1.05 })
  }
}

/** Likes at one instance, by turns given and taken back, and their CPU there and at the other. */
async function compareLikes(writer: Instance, other: Instance): Promise<void> {
  const { voteIds, viewer } = writer.scene
  const own: number[] = []
  const others: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    for (const { readers } of [writer, other]) await readers.ask('expect', VOTES * SOCKETS)
    const method = round % 2 === 0 ? 'DELETE' : 'PUT'
    const before = [await writer.server.ask('cpu'), await other.server.ask('cpu')] as const
    await load({
      server: writer.server,
      port: writer.port,
      requests: VOTES,
      connections: CONNECTIONS,
      send: (pool, number) =>
        pool.request({ method, path: `/comments/${voteIds[number]}/like`, headers: { cookie: viewer.cookie } }),
    })
    for (const { readers } of [writer, other]) await readers.ask('arrived')
    // The first round warms both up.
    if (round < 0) continue
    own.push(((await writer.server.ask('cpu')) - before[0]) / VOTES)
    others.push(((await other.server.ask('cpu')) - before[1]) / VOTES)
  }
  heading(`PUT and DELETE /comments/:id/like at one of two instances, ${SOCKETS} sockets of the discussion at each`)
  line('the instance that writes, with its deliveries', micros(median(own)))
  line('the other one, which hears of it through the feed', micros(median(others)))
  ratio('other / writer', median(others) / median(own), { atMost: 0.8 })
}

/** Two instances on one database against one alone on a database of its own. */
export async function benchInstances(uri: string, scene: Scene): Promise<void> {
  const aloneUri = uri.replace(/\/(\w+)\?/, '/$1-alone?')
  await prepareDatabase(aloneUri)
  const db = openDatabase(aloneUri)
  const alone = await start('one alone', aloneUri, await fillScene(db))
  const pair = [await start('the first of two', uri, scene), await start('the second of two', uri, scene)] as const

  await compare('GET /games/:id/comments, warm, at each of two instances', read, alone, pair)
  await compare(`comment:likes to ${SOCKETS} sockets at each of two instances, a delivery`, deliver, alone, pair)
  await compareLikes(...pair)

  await Promise.all([alone, ...pair].flatMap(({ server, readers }) => [server.stop(), readers.stop()]))
  await db.close()
}
