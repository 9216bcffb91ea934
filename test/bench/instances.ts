import { openDatabase } from '../../lib/infrastructure/db/connect.ts'
import { type Child, type Server, startChild, startServer } from './child.ts'
import { deliver, load, measureByTurns } from './load.ts'
import { heading, line, micros, ratio } from './report.ts'
import { fillScene, prepareBenchDatabase, type Scene, VOTES } from './scene.ts'

const ROUNDS = 7
const CONNECTIONS = 10
/** Sockets in the room of the voted game, on each instance. */
const SOCKETS = 50
/** Events of a round, one a turn. */
const EVENTS = 400

interface Instance {
  name: string
  scene: Scene
  server: Server
  readers: Child
}

type Measure = (instance: Instance) => Promise<{ cpuMicros: number }>

async function start(name: string, uri: string, scene: Scene): Promise<Instance> {
  const server = await startServer(uri, { env: { BENCH_VIEWER: scene.viewer.id } })
  const readers = await startChild('servers/readers.ts')
  await readers.ask('open', { port: server.port, gameId: scene.votedGame, count: SOCKETS })
  return { name, scene, server, readers }
}

const read: Measure = ({ server, scene: { gameId, viewer } }) =>
  load({
    server,
    requests: VOTES,
    connections: CONNECTIONS,
    send: (pool) =>
      pool.request({ method: 'GET', path: `/games/${gameId}/comments`, headers: { cookie: viewer.cookie } }),
  })

const deliverEach: Measure = ({ server, readers, scene: { votedGame: gameId } }) =>
  deliver({ server, readers, gameId, sockets: SOCKETS, turns: EVENTS, eventsPerTurn: 1 })

/** Compares both instances of the pair with the one alone. */
async function compare(title: string, measure: Measure, alone: Instance, pair: readonly Instance[]): Promise<void> {
  const instances = [alone, ...pair]
  const measures = Object.fromEntries(instances.map((instance) => [instance.name, () => measure(instance)]))
  const medianOf = await measureByTurns(measures, { rounds: ROUNDS })
  heading(title)
  for (const { name } of instances) line(name, `${medianOf(name, 'cpuMicros').toFixed(1)} µs CPU`)
  for (const { name } of pair) {
    const cost = medianOf(name, 'cpuMicros') / medianOf(alone.name, 'cpuMicros')
    ratio(`${name} / one alone`, cost, { atMost: 1.05 })
  }
}

/** Gives likes at one instance and takes them back, by turns, and measures their CPU time there and at the other. */
async function compareLikes(writer: Instance, other: Instance): Promise<void> {
  const { voteIds, viewer } = writer.scene
  const both = [writer, other]
  const readCpu = async () => ({ own: await writer.server.ask('cpu'), others: await other.server.ask('cpu') })
  let likes = 0
  const like = async () => {
    for (const { readers } of both) await readers.ask('expect', VOTES * SOCKETS)
    const method = likes++ % 2 === 0 ? 'PUT' : 'DELETE'
    const before = await readCpu()
    await load({
      server: writer.server,
      requests: VOTES,
      connections: CONNECTIONS,
      send: (pool, number) =>
        pool.request({ method, path: `/comments/${voteIds[number]}/like`, headers: { cookie: viewer.cookie } }),
    })
    for (const { readers } of both) await readers.ask('arrived')
    const after = await readCpu()
    return { own: (after.own - before.own) / VOTES, others: (after.others - before.others) / VOTES }
  }
  const medianOf = await measureByTurns({ like }, { rounds: ROUNDS })
  const [own, others] = [medianOf('like', 'own'), medianOf('like', 'others')]
  heading(`PUT and DELETE /comments/:id/like at one of two instances, ${SOCKETS} sockets of the discussion at each`)
  line('the instance that writes, with its deliveries', micros(own))
  line('the other one, which reads it from the feed', micros(others))
  ratio('other / writer', others / own, { atMost: 0.8 })
}

/** Compares two instances on one database with one alone on another database. */
export async function benchInstances(uri: string, scene: Scene): Promise<void> {
  const aloneUri = await prepareBenchDatabase(uri, 'instances-alone')
  const db = openDatabase(aloneUri)
  const alone = await start('one alone', aloneUri, await fillScene(db))
  const pair = [await start('the first of two', uri, scene), await start('the second of two', uri, scene)] as const

  await compare('GET /games/:id/comments, warm, at each of two instances', read, alone, pair)
  await compare(`comment:likes to ${SOCKETS} sockets at each of two instances, a delivery`, deliverEach, alone, pair)
  await compareLikes(...pair)

  await Promise.all([alone, ...pair].flatMap(({ server, readers }) => [server.stop(), readers.stop()]))
  await db.close()
}
