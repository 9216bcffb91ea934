import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startServer } from './child.ts'
import { heading, line, ratio } from './report.ts'
import type { Scene } from './scene.ts'

const [MINUTE_MS, EVERY_MS] = [60_000, 100]
const MINUTES = 60
/** The part of the time after which the memory must not grow: minute 20 of an hour. */
const SETTLED_AT = 1 / 3

type Options = NonNullable<Parameters<typeof request>[1]>

/** The ten requests of a site, each of which is sent once a second. */
function kindsOf({ gameId, games, voteIds, viewer }: Scene): ((number: number) => [path: string, options?: Options])[] {
  const headers = { cookie: viewer.cookie, 'content-type': 'application/json' }
  const like = (number: number) => `/comments/${voteIds[number % voteIds.length]}/like`
  const body = JSON.stringify({ gameId, body: 'A thought' })
  return [
    () => [`/games/${gameId}/comments`, { headers }],
    (number) => [`/games/${games[number % games.length]}/comments`],
    () => ['/games/search?searchString=game', { headers }],
    (number) => [like(number), { headers, method: 'PUT' }],
    () => ['/discussions'],
    () => ['/notifications', { headers }],
    (number) => [like(number), { headers, method: 'DELETE' }],
    () => ['/nothing'],
    () => ['/comments', { headers, method: 'POST', body }],
    () => ['/metrics'],
  ]
}

/** Sends ten requests a second. The memory of the process stays what it is after a third of the time. */
export async function benchSoak(uri: string, scene: Scene, minutes = MINUTES): Promise<void> {
  const server = await startServer(uri, { env: { BENCH_VIEWER: scene.viewer.id } })
  const dispatcher = new Agent({ connections: 10 })
  const kinds = kindsOf(scene)
  const startedAt = performance.now()
  const requests = (minutes * MINUTE_MS) / EVERY_MS
  const settledAt = Math.floor(SETTLED_AT * requests)
  let [settled, failed] = [0, 0]
  heading(`10 requests a second for ${minutes} minutes`)

  for (let number = 0; number < requests; number++) {
    await sleep(Math.max(0, startedAt + number * EVERY_MS - performance.now()))
    if (number === settledAt) settled = await server.ask('rss')
    const [path, options] = kinds[number % kinds.length]?.(Math.floor(number / kinds.length)) ?? ['/healthz']
    void request(`http://127.0.0.1:${server.port}${path}`, { ...options, dispatcher })
      .then(({ statusCode, body }) => body.dump().then(() => statusCode < 500))
      .catch(() => false)
      .then((isAnswered) => {
        failed += isAnswered ? 0 : 1
      })
  }
  const rss = await server.ask('rss')
  line('requests, and failures among them', `${requests}, ${failed}`)
  line('RSS after a third, and at the end', `${(settled / 1e6).toFixed(0)} MB, ${(rss / 1e6).toFixed(0)} MB`)
  ratio('RSS at the end / RSS after a third', rss / settled, { atMost: 1.1 })
  await dispatcher.close()
  await server.stop()
}
