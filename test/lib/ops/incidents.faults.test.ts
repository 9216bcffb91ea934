import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { createKeyedQueue } from '#lib/infrastructure/concurrency/keyed-queue'
import { openRaw } from '../../support/clients/raw-socket.ts'
import { startCutProxy } from '../../support/processes/cut-proxy.ts'
import { useDatabaseProxy } from '../../support/processes/database-proxy.ts'
import { useTestBucket } from '../../support/processes/s3-bucket.ts'
import { insertComment, insertGame } from '../../support/rows/rows.ts'
import { useApprovalsScene } from '../../support/scenes/approvals-scene.ts'
import { newKey, pngOf } from '../../support/scenes/storage-scene.ts'
import { captureLog } from '../../support/service/capture-log.ts'
import { closeAtEnd } from '../../support/service/close-at-end.ts'
import { useShakyService } from '../../support/service/shaky-service.ts'
import { BUSY_MACHINE_MS, useService } from '../../support/service/start-service.ts'
import { expectAlerts, scrape } from '../../support/tools/expect-alerts.ts'

const WAIT = { timeout: 60_000, interval: 50 }
const SLOW_MS = 1_100
/** Bytes that the buffers of both ends of a loopback connection cannot hold. */
const LARGE = 14_000_000

type Line = Record<string, unknown> & { parts: Record<string, number> }

const useCutProxy = closeAtEnd(startCutProxy)

const readMetric = (metrics: string, name: string) => Number(metrics.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1])

/** Waits for the first `slow request` line of a route in which all these parts are slow. */
const untilSlow = (lines: readonly unknown[], route: string, parts: readonly string[]) =>
  vi.waitUntil(() => {
    // Every line of this message has parts.
    const slow = (lines as Line[]).filter((line) => line.msg === 'slow request' && line.route === route)
    return slow.find((line) => parts.every((part) => (line.parts[part] ?? 0) >= SLOW_MS - 1))
  }, WAIT)

it('why was this request slow: the database, or the turn behind another request', async () => {
  const { log, lines } = captureLog()
  const { uri: mongodbUri, holdCommands } = await useDatabaseProxy()
  const env = { SLOW_REQUEST_MS: String(SLOW_MS) }
  const queue = createKeyedQueue({ maxWaitMs: BUSY_MACHINE_MS })
  const run = vi.spyOn(queue, 'run')
  const service = await useService({ log, mongodbUri, env, queue, timeoutMs: BUSY_MACHINE_MS })
  const callers = [await service.caller(), await service.caller()]
  const author = new ObjectId((await service.caller()).id)
  const _id = await insertComment(service.db, { gameId: await insertGame(service.db), userId: author })
  const healthy = await scrape(service)
  const release = holdCommands('likesCount')
  const answers = Promise.all(callers.map((caller) => caller.put(`/comments/${_id}/like`)))
  await vi.waitUntil(() => run.mock.calls.length === 2, WAIT)
  await sleep(SLOW_MS)
  release()

  expect((await answers).map(({ status }) => status)).toEqual([200, 200])
  const ofDatabase = await untilSlow(lines, '/comments/:id/like', ['databaseMs'])
  const ofTurn = await untilSlow(lines, '/comments/:id/like', ['turnMs'])
  for (const line of [ofDatabase, ofTurn]) {
    expect(line).toMatchObject({ level: 'warn', method: 'PUT', status: 200, userId: expect.any(String) })
    expect(Object.keys(line.parts).sort()).toEqual(['databaseMs', 'sendingMs', 'turnMs'])
    const { databaseMs = 0, turnMs = 0 } = line.parts
    expect(line.durationMs).toBeGreaterThanOrEqual(databaseMs + turnMs - 2)
  }
  expect(ofTurn.requestId).not.toBe(ofDatabase.requestId)
  await expectAlerts(healthy, await scrape(service), ['GamehallSlow'])
})

it('why was this request slow: also where its client no longer waited', async () => {
  const { log, lines } = captureLog()
  const { uri: mongodbUri, holdCommands } = await useDatabaseProxy()
  const env = { SLOW_REQUEST_MS: String(SLOW_MS) }
  const service = await useService({ log, mongodbUri, env, timeoutMs: BUSY_MACHINE_MS })
  const slug = 'nobody-waits'
  await insertGame(service.db, { slug })
  const release = holdCommands(slug)
  const client = connect(service.port, '127.0.0.1')
  client.write(`GET /games/${slug} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await sleep(SLOW_MS)
  client.destroy()
  await sleep(SLOW_MS)
  release()

  await untilSlow(lines, '/games/:idOrSlug', ['databaseMs'])
})

it('why was this request slow: a source, the host of an image, the storage', async () => {
  const { log, lines } = captureLog()
  const bucket = await useTestBucket()
  const storage = await useCutProxy(Number(new URL(bucket.s3.endpoint).port))
  const env = { ...bucket.env, S3_ENDPOINT: storage.baseUrl, SLOW_REQUEST_MS: String(SLOW_MS) }
  const scene = await useApprovalsScene({ log, env })
  scene.vndb.put({ id: 'v5', title: 'Vermilion Tundra' })
  const payload = { name: 'Lantern Keep', vndbId: 'v5', cover: scene.host.link('held') }
  const request = await scene.insert({ payload })

  const answerOfSource = scene.vndb.hold()
  storage.delayAnswers(SLOW_MS)
  const decided = scene.decide(request)
  await vi.waitUntil(() => scene.vndb.requests.length > 0, WAIT)
  await sleep(SLOW_MS)
  answerOfSource()
  await vi.waitUntil(() => scene.host.held.size > 0, WAIT)
  await sleep(SLOW_MS)
  scene.host.release()

  expect((await decided).status).toBe(200)
  await untilSlow(lines, '/requests/:id/decision', ['sourcesMs', 'imagesMs', 'storageMs'])
})

it('why was this request slow: its client was, with LOG_REQUESTS=slow, which leaves out the others', async () => {
  const { log, lines } = captureLog()
  const service = await useService({ log, env: { SLOW_REQUEST_MS: String(SLOW_MS), LOG_REQUESTS: 'slow' } })
  const key = newKey()
  await service.deps.storage.put(key, { bytes: pngOf(LARGE), type: 'image/png' })
  await service.guest.get('/nothing')
  const client = connect(service.port, '127.0.0.1').pause()
  client.write(`GET /files/${key} HTTP/1.0\r\n\r\n`)
  await sleep(SLOW_MS)
  await text(client)

  const slow = await untilSlow(lines, '/files/:folder/:entityId/:objectId', ['sendingMs'])
  expect(lines.filter(({ status }) => status !== undefined)).toEqual([expect.objectContaining({ status: 404 }), slow])
})

it('LOG_REQUESTS=none leaves no line of a request that succeeded, and all of others', async () => {
  const { log, lines } = captureLog()
  const service = await useService({ log, env: { SLOW_REQUEST_MS: '1', LOG_REQUESTS: 'none' } })
  await service.guest.get('/healthz')
  await service.guest.get('/user/me')

  expect(new Set(lines.map(({ status }) => status).filter((status) => status !== undefined))).toEqual(new Set([400]))
})

it('is the disk filling: the free bytes of DATA_DIR fall, and the alert fires hours before it is full', async () => {
  const service = await useService()
  const { dataDir } = service.deps.config
  await mkdir(dataDir, { recursive: true })
  const healthy = await scrape(service)
  const free = readMetric(healthy, 'gamehall_data_dir_free_bytes')
  const piece = Buffer.alloc(Math.ceil(free / 3_000))
  let files = 0
  const fallen = await vi.waitUntil(async () => {
    // Other processes may free bytes of the same disk meanwhile.
    await writeFile(join(dataDir, `filling-${files++}`), piece)
    const metrics = await scrape(service)
    return free - readMetric(metrics, 'gamehall_data_dir_free_bytes') >= piece.length && metrics
  }, WAIT)

  await expectAlerts(healthy, fallen, ['GamehallDiskFilling'])
})

it('is the stream behind: it is not live, its lag grows, and lines say why and since when', async () => {
  const { log, lines } = captureLog()
  const feed = await useDatabaseProxy()
  const service = await useService({ log, mongodbUri: feed.target, feedUri: feed.uri, timeoutMs: BUSY_MACHINE_MS })
  const healthy = await scrape(service)
  feed.cut()
  await vi.waitUntil(() => lines.some(({ msg }) => msg === 'change stream interrupted'), WAIT)
  const behind = await vi.waitUntil(async () => {
    const metrics = await scrape(service)
    return readMetric(metrics, 'gamehall_feed_lag_seconds') > 2 && metrics
  }, WAIT)

  expect([healthy, behind].map((metrics) => readMetric(metrics, 'gamehall_feed_live'))).toEqual([1, 0])
  await expectAlerts(healthy, behind, ['GamehallFeedBehind'])
  feed.restore()
  await vi.waitUntil(() => lines.some(({ msg }) => msg === 'change stream resumed'), WAIT)
  await vi.waitUntil(async () => readMetric(await scrape(service), 'gamehall_feed_live') === 1, WAIT)
})

it('is somebody attacking: refusals by status and handshakes by reason are counted, and lines have the address', async () => {
  const { log, lines } = captureLog()
  const service = await useService({ log, env: { TRUST_PROXY: '1' } })
  const reader = await service.caller()
  const healthy = await scrape(service)
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  const body = { email: 'somebody@example.org', password: 'wrong' }
  for (let tries = 0; tries < 20; tries++) {
    await service.guest.get(`/wp-admin/${tries}`, { headers })
    await service.guest.post('/auth/login', { body, headers })
    await reader.get('/requests', { headers })
  }
  await fetch(`${service.baseUrl}/socket.io/?EIO=4&transport=polling&j=0`, { headers })
  const socket = await openRaw(service.port, { headers })
  await socket.next()
  socket.send('40/royal,')
  await socket.next()
  const attacked = await scrape(service)

  await expectAlerts(healthy, attacked, ['GamehallRefusals'])
  for (const reason of ['Forbidden', 'Unauthorized']) {
    expect(readMetric(attacked, `gamehall_handshakes_refused_total\\{reason="${reason}"\\}`)).toBe(1)
  }
  const refused = lines.filter(({ address }) => address === '203.0.113.7')
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401, 403, 404, 429]))
  expect(refused).toHaveLength(60)
})

it('why does readiness fail: a metric says so, and the line of the request has the reason', async () => {
  const { log, lines } = captureLog()
  const service = await useShakyService({ log })
  const healthy = await scrape(service)
  service.database.cut()
  const { status, body } = await service.guest.get('/readyz')
  const away = await scrape(service)

  expect(status).toBe(503)
  expect([healthy, away].map((metrics) => readMetric(metrics, 'gamehall_ready'))).toEqual([1, 0])
  expect(lines).toContainEqual(
    expect.objectContaining({
      requestId: body.requestId,
      msg: 'database unreachable',
      reason: expect.stringContaining('The database cannot be reached'),
    }),
  )
  await expectAlerts(healthy, away, ['GamehallErrors', 'GamehallNotReady'])
})
