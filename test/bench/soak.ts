import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startChild } from './child.ts'
import { heading, line, ratio } from './report.ts'
import type { Scene } from './scene.ts'

const [MINUTE_MS, EVERY_MS] = [60_000, 100]
const MINUTES = 60
/** From when on the memory has to stay, as a part of the whole time: minute 20 of an hour. */
const SETTLED_AT = 1 / 3

type Send = Parameters<typeof request>[1] & { path: string }

/** What a site sends, the usual most often. */
function* listRequests({ gameId, games, voteIds, viewer }: Scene): Generator<Send> {
  const headers = { cookie: viewer.cookie }
  const json = { ...headers, 'content-type': 'application/json' }
  for (let number = 0; ; number++) {
    const game = games[number % games.length]
    const like = `/comments/${voteIds[number % voteIds.length]}/like`
    yield { path: `/games/${gameId}/comments`, headers }
    yield { path: `/games/${game}/comments` }
    yield { path: '/games/search?searchString=game', headers }
    yield { path: like, method: 'PUT', headers }
    yield { path: '/discussions' }
    yield { path: '/notifications', headers }
    yield { path: like, method: 'DELETE', headers }
    yield { path: '/nothing' }
    yield {
      path: '/comments',
      method: 'POST',
      headers: json,
      body: JSON.stringify({ gameId: game, body: 'A thought' }),
    }
    yield { path: '/metrics' }
  }
}

/** Ten requests a second for an hour, or for so many minutes: the memory of the process stays what it was after a third. */
export async function benchSoak(uri: string, scene: Scene, minutes = MINUTES): Promise<void> {
  const server = await startChild('./servers/gamehall.ts', { BENCH_MONGODB_URI: uri, BENCH_VIEWER: scene.viewer.id })
  const port = await server.ask('port')
  const dispatcher = new Agent({ connections: 10 })
  const startedAt = performance.now()
  const endsAt = startedAt + minutes * MINUTE_MS
  const settledAt = startedAt + SETTLED_AT * minutes * MINUTE_MS
  let settled: number | undefined
  let [sent, failed] = [0, 0]
  heading(`10 requests a second for ${minutes} minutes`)

  for (const { path, ...options } of listRequests(scene)) {
    const dueAt = startedAt + sent * EVERY_MS
    if (dueAt >= endsAt) break
    await sleep(Math.max(0, dueAt - performance.now()))
    if (settled === undefined && dueAt >= settledAt) settled = await server.ask('rss')
    sent += 1
    void request(`http://127.0.0.1:${port}${path}`, { ...options, dispatcher }).then(
      async ({ statusCode, body }) => {
        await body.dump()
        if (statusCode >= 500) failed += 1
      },
      () => {
        failed += 1
      },
    )
  }
  const rss = await server.ask('rss')
  line('requests, and failures among them', `${sent}, ${failed}`)
  line('RSS after a third, and at the end', `${((settled ?? rss) / 1e6).toFixed(0)} MB, ${(rss / 1e6).toFixed(0)} MB`)
  ratio('RSS at the end / RSS after a third', rss / (settled ?? rss), { atMost: 1.1 })
  await dispatcher.close()
  await server.stop()
}
