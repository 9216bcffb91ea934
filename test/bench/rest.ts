import { type Child, startChild } from './child.ts'
import { type LoadResult, load, median } from './load.ts'
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
  ours: Contender,
  naive: Contender,
  send: Send,
  reset: () => Promise<unknown>,
): Promise<[LoadResult, LoadResult]> {
  const results: [LoadResult[], LoadResult[]] = [[], []]
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [index, contender] of [ours, naive].entries()) {
      await reset()
      const result = await load({ ...contender, requests: VOTES, connections: CONNECTIONS, send })
      if (round >= 0) results[index]?.push(result)
    }
  }
  const middle = (side: LoadResult[]) => ({
    perSecond: median(side.map(({ perSecond }) => perSecond)),
    cpuMicros: median(side.map(({ cpuMicros }) => cpuMicros)),
  })
  return [middle(results[0]), middle(results[1])]
}

function print(title: string, [ours, naive]: [LoadResult, LoadResult], goal: number): void {
  heading(title)
  line('gamehall', `${micros(ours.cpuMicros)} CPU, ${ours.perSecond.toFixed(0)}/s`)
  line('bare Hono handler, naive queries', `${micros(naive.cpuMicros)} CPU, ${naive.perSecond.toFixed(0)}/s`)
  ratio('naive CPU / our CPU', naive.cpuMicros / ours.cpuMicros, { atLeast: goal })
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

  const list: Send = (pool) => pool.request({ method: 'GET', path: `/games/${gameId}/comments`, headers })
  print(
    'GET /games/:id/comments, 10 comments, with a session, warm',
    await compare(ours, naive, list, async () => {}),
    6,
  )

  const changedList: Send = (pool) =>
    pool.request({
      method: 'GET',
      path: `/games/${gameId}/comments`,
      headers: { ...headers, 'x-request-id': 'changed' },
    })
  print(
    'the same, every read after a change of that game',
    await compare(ours, naive, changedList, async () => {}),
    1.4,
  )

  const like: Send = (pool, number) =>
    pool.request({ method: 'PUT', path: `/comments/${voteIds[number]}/like`, headers })
  const takeBack = () => Promise.all([ours, naive].map(({ server }) => server.ask('takeBack')))
  print('PUT /comments/:id/like', await compare(ours, naive, like, takeBack), 1.3)

  await Promise.all([ours.server.stop(), naive.server.stop()])
}
