import { type Child, startChild } from './child.ts'
import { median } from './load.ts'
import { heading, kilobytes, line, ratio } from './report.ts'

const ROUNDS = 7
const DELIVERIES = 60_000
const GAME = 'a'.repeat(24)

interface Contender {
  server: Child
  readers: Child
}

interface Measured {
  perSecond: number
  cpuMicrosPerDelivery: number
}

async function start(file: string, env: Record<string, string>): Promise<Contender> {
  return { server: await startChild(file, env), readers: await startChild('./servers/readers.ts') }
}

async function connect({ server, readers }: Contender, count: number) {
  const port = await server.ask('port')
  const memory = async () => ({ heap: await server.ask('heap'), rss: await server.ask('rss') })
  const before = await memory()
  await readers.ask('open', { port, gameId: GAME, count })
  const after = await memory()
  return { heap: (after.heap - before.heap) / count, rss: (after.rss - before.rss) / count }
}

async function deliver({ server, readers }: Contender, sockets: number): Promise<Measured> {
  const events = Math.max(1, Math.round(DELIVERIES / sockets))
  await readers.ask('expect', events * sockets)
  const cpuBefore = await server.ask('cpu')
  const startedAt = performance.now()
  for (let event = 0; event < events; event++) await server.ask('announce', GAME)
  await readers.ask('arrived')
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = (await server.ask('cpu')) - cpuBefore
  return { perSecond: (events * sockets) / seconds, cpuMicrosPerDelivery: cpu / (events * sockets) }
}

/** One event to a room of many sockets, and what an idle socket costs, against a bare Socket.IO server. */
export async function benchFanOut(uri: string): Promise<void> {
  const env = { BENCH_MONGODB_URI: uri }
  for (const sockets of [100, 1_000, 4_000]) {
    const [ours, bare] = [await start('./servers/gamehall.ts', env), await start('./servers/bare-sockets.ts', env)]
    const [ourMemory, bareMemory] = [await connect(ours, sockets), await connect(bare, sockets)]
    const rounds: [Measured[], Measured[]] = [[], []]
    for (let round = -1; round < ROUNDS; round++) {
      for (const [index, contender] of [ours, bare].entries()) {
        const measured = await deliver(contender, sockets)
        // The first round warms both up.
        if (round >= 0) rounds[index]?.push(measured)
      }
    }
    const rate = (side: Measured[]) => median(side.map(({ perSecond }) => perSecond))
    const cpu = (side: Measured[]) => median(side.map(({ cpuMicrosPerDelivery }) => cpuMicrosPerDelivery))

    heading(`comment:likes to ${sockets} sockets of a room`)
    for (const [name, side, memory] of [
      ['gamehall', rounds[0], ourMemory],
      ['bare Socket.IO server, default options', rounds[1], bareMemory],
    ] as const) {
      line(name, `${rate(side).toFixed(0)} deliveries/s, ${cpu(side).toFixed(1)} µs CPU each`)
      line('  an idle socket', `${kilobytes(memory.heap)} heap, ${kilobytes(memory.rss)} RSS`)
    }
    ratio('our deliveries/s / bare', rate(rounds[0]) / rate(rounds[1]), { atLeast: 0.95 })
    ratio('our heap per idle socket / bare', ourMemory.heap / bareMemory.heap, { atMost: 1 })
    await Promise.all([ours, bare].flatMap(({ server, readers }) => [server.stop(), readers.stop()]))
  }
}
