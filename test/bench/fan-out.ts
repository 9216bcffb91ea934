import { type Child, type Server, startChild, startServer } from './child.ts'
import { deliver, measureByTurns } from './load.ts'
import { heading, kilobytes, line, ratio } from './report.ts'

const ROUNDS = 9
/** The code of both sides is compiled after so many. */
const WARM_UP_ROUNDS = 3
const DELIVERIES = 12_000
const BURST = 10
const GAME = 'a'.repeat(24)
const FEW = 1_000
const MANY = 8_000

interface Contender {
  name: string
  sockets: number
  server: Server
  readers: Child
  /** Bytes of an idle socket. */
  idle: { heap: number; rss: number }
}

/** Starts readers of a server, opens their sockets, and measures what one of them costs while nothing happens. */
async function start(name: string, server: Server, sockets: number): Promise<Contender> {
  const readers = await startChild('servers/readers.ts')
  const memory = async () => ({ heap: await server.ask('heap'), rss: await server.ask('rss') })
  const before = await memory()
  await readers.ask('open', { port: server.port, gameId: GAME, count: sockets })
  const after = await memory()
  const idle = { heap: (after.heap - before.heap) / sockets, rss: (after.rss - before.rss) / sockets }
  return { name, sockets, server, readers, idle }
}

const stop = ({ server, readers }: Contender) => Promise.all([server.stop(), readers.stop()])

/** Returns the CPU time of a delivery by one, divided by that of the other. */
async function compareCpu(one: Contender, other: Contender, eventsPerTurn: number): Promise<number> {
  const measure = (contender: Contender) => () => {
    const turns = Math.max(1, Math.round(DELIVERIES / contender.sockets))
    return deliver({ ...contender, gameId: GAME, turns, eventsPerTurn })
  }
  const measures = { one: measure(one), other: measure(other) }
  const medianOf = await measureByTurns(measures, { rounds: ROUNDS, warmUpRounds: WARM_UP_ROUNDS })
  for (const [side, { name, sockets }] of [['one', one] as const, ['other', other] as const]) {
    const cpu = `${medianOf(side, 'cpuMicros').toFixed(2)} µs CPU each`
    line(`${name}, ${sockets} sockets`, `${medianOf(side, 'perSecond').toFixed(0)} deliveries/s, ${cpu}`)
  }
  return medianOf('one', 'cpuMicros') / medianOf('other', 'cpuMicros')
}

/** Compares events to a room of many sockets, and the cost of an idle socket, with a bare Socket.IO server. */
export async function benchFanOut(uri: string): Promise<void> {
  const ours = await start('gamehall', await startServer(uri), FEW)
  const bare = await start('bare Socket.IO server', await startServer(uri, { file: 'servers/bare-sockets.ts' }), FEW)

  heading(`an idle socket, among ${FEW}`)
  for (const { name, idle } of [ours, bare]) line(name, `${kilobytes(idle.heap)} heap, ${kilobytes(idle.rss)} RSS`)
  ratio('our heap / bare', ours.idle.heap / bare.idle.heap, { atMost: 0.75 })
  ratio('our RSS / bare', ours.idle.rss / bare.idle.rss, { atMost: 0.75 })

  heading('comment:likes to every socket of a room')
  ratio('our CPU of a delivery / bare', await compareCpu(ours, bare, 1), { atMost: 0.75 })
  heading(`the same, ${BURST} events a turn`)
  ratio('our CPU of a delivery / bare', await compareCpu(ours, bare, BURST), { atMost: 0.2 })
  await stop(bare)

  heading('the same, one event a turn, to a crowd')
  const crowd = await start('gamehall', await startServer(uri), MANY)
  ratio(`our CPU of a delivery / that among ${FEW}`, await compareCpu(crowd, ours, 1), { atMost: 1.15 })
  await Promise.all([ours, crowd].map(stop))
}
