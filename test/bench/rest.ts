import { type Server, startServer } from './child.ts'
import { load, measureByTurns, type Send } from './load.ts'
import { heading, line, micros, ratio } from './report.ts'
import { type Scene, VOTES } from './scene.ts'

const ROUNDS = 5
/** The compiler goes on optimizing for some thousand requests. */
const WARM_UP_ROUNDS = 4
const CONNECTIONS = 50

async function compare(
  title: string,
  [ours, naive]: readonly [Server, Server],
  { send, goal, reset = async () => {} }: { send: Send; goal: number; reset?: () => Promise<unknown> },
): Promise<void> {
  const measure = (server: Server) => async () => {
    await reset()
    return load({ server, requests: VOTES, connections: CONNECTIONS, send })
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
  const env = { BENCH_VIEWER: viewer.id }
  const both = [
    await startServer(uri, { env }),
    await startServer(uri, { env, file: 'servers/naive-rest.ts' }),
  ] as const
  const headers = { cookie: viewer.cookie }

  const path = `/games/${gameId}/comments`
  const list: Send = (pool) => pool.request({ method: 'GET', path, headers })
  await compare('GET /games/:id/comments, 10 comments, with a session, warm', both, { send: list, goal: 6 })

  const changed = { ...headers, 'x-request-id': 'changed' }
  const changedList: Send = (pool) => pool.request({ method: 'GET', path, headers: changed })
  await compare('the same, every read after a change of that game', both, { send: changedList, goal: 1.4 })

  const like: Send = (pool, number) =>
    pool.request({ method: 'PUT', path: `/comments/${voteIds[number]}/like`, headers })
  const takeBack = () => Promise.all(both.map((server) => server.ask('takeBack')))
  await compare('PUT /comments/:id/like', both, { send: like, goal: 1.3, reset: takeBack })

  await Promise.all(both.map((server) => server.stop()))
}
