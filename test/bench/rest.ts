import { type Child, startChild } from './child.ts'
import { load, measureByTurns } from './load.ts'
import { heading, line, micros, ratio } from './report.ts'
import { type Scene, VOTES } from './scene.ts'

const ROUNDS = 5
/** The compiler goes on optimizing for some thousand requests. */
const WARM_UP_ROUNDS = 4
const CONNECTIONS = 50

interface Contender {
  server: Child
  port: number
}

type Send = Parameters<typeof load>[0]['send']

async function compare(
  title: string,
  [ours, naive]: readonly [Contender, Contender],
  { send, goal, reset = async () => {} }: { send: Send; goal: number; reset?: () => Promise<unknown> },
): Promise<void> {
  const measure = (contender: Contender) => async () => {
    await reset()
    return load({ ...contender, requests: VOTES, connections: CONNECTIONS, send })
  }
  const measures = { ours: measure(ours), naive: measure(naive) }
  const medianOf = await measureByTurns(measures, { rounds: ROUNDS, warmUpRounds: WARM_UP_ROUNDS })
  const print = (label: string, name: 'ours' | 'naive') =>
    line(label, `${micros(medianOf(name, 'cpuMicros'))} CPU, ${medianOf(name, 'perSecond').toFixed(0)}/s`)
  heading(title)
  print('gamehall', 'ours')
  print('bare Hono handler, naive queries', 'naive')
  ratio('naive CPU / our CPU', medianOf('naive', 'cpuMicros') / medianOf('ours', 'cpuMicros'), { atLeast: goal })
}

/** The two busiest endpoints against a bare handler without session, validation, log and metrics. */
export async function benchRest(uri: string, { gameId, voteIds, viewer }: Scene): Promise<void> {
  const env = { BENCH_MONGODB_URI: uri, BENCH_VIEWER: viewer.id }
  const start = async (file: string): Promise<Contender> => {
    const server = await startChild(file, env)
    return { server, port: await server.ask('port') }
  }
  const [ours, naive] = [await start('./servers/gamehall.ts'), await start('./servers/naive-rest.ts')]
  const headers = { cookie: viewer.cookie }

  const both = [ours, naive] as const
  const path = `/games/${gameId}/comments`
  const list: Send = (pool) => pool.request({ method: 'GET', path, headers })
  await compare('GET /games/:id/comments, 10 comments, with a session, warm', both, { send: list, goal: 6 })

  const changed = { ...headers, 'x-request-id': 'changed' }
  const changedList: Send = (pool) => pool.request({ method: 'GET', path, headers: changed })
  await compare('the same, every read after a change of that game', both, { send: changedList, goal: 1.4 })

  const like: Send = (pool, number) =>
    pool.request({ method: 'PUT', path: `/comments/${voteIds[number]}/like`, headers })
  const takeBack = () => Promise.all(both.map(({ server }) => server.ask('takeBack')))
  await compare('PUT /comments/:id/like', both, { send: like, goal: 1.3, reset: takeBack })

  await Promise.all([ours.server.stop(), naive.server.stop()])
}
