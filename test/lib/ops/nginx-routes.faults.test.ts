import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { BODY_MAX_BYTES } from '#lib/contract/limits'
import { createS3Storage } from '#lib/infrastructure/storage/s3-storage'
import { createCaller } from '../../support/clients/caller.ts'
import { listenLocally } from '../../support/processes/listen-locally.ts'
import { useTestBucket } from '../../support/processes/s3-bucket.ts'
import { type NGINX_EXAMPLES, useNginx } from '../../support/processes/start-nginx.ts'
import { insertComment, insertConflict, insertGame, insertRequest } from '../../support/rows/rows.ts'
import { newKey, pngOf } from '../../support/scenes/storage-scene.ts'
import { useService } from '../../support/service/start-service.ts'
import { callOf, loadDocument, operationsOf, resolveRef, sampleOfSchema } from '../../support/tools/openapi-document.ts'

const UNKNOWN = 'abcdefabcdefabcdefabcdef'
/** Paths for monitoring, which is inside and uses the port of the service. */
const INTERNAL = ['/healthz', '/metrics', '/readyz']
/** Paths whose answers differ from one request to the next. */
const MEASURED = ['/metrics', '/operations', '/socket.io/']

const service = await useService({ env: { TRUST_PROXY: '1' } })
const gameId = await insertGame(service.db, { name: 'Lantern Keep', slug: 'lantern-keep' })
const commentId = await insertComment(service.db, { gameId, userId: gameId })
const { _id: requestId } = await insertRequest(service.db, { userId: gameId })
await insertConflict(service.db, { source: 'vndb', externalId: 'v1' })
const file = newKey()
await service.deps.storage.put(file, { bytes: pngOf(100), type: 'image/png' })
const page = await (await fetch(`${service.baseUrl}/console`)).text()
const docs = await (await fetch(`${service.baseUrl}/docs`)).text()

const admin = await service.caller({ userName: 'xxxxxxxx', isAdmin: true })

const { document } = await loadDocument()
const operations = operationsOf(document).map(({ method, path, operation }) => {
  const id =
    { comments: commentId, requests: requestId, user: admin.id, users: admin.id }[path.split('/')[1] ?? ''] ?? gameId
  // A change of something unknown is refused in the same way each time.
  const pathId = method === 'get' ? String(id) : UNKNOWN
  const address = path
    .replace('/files/{folder}/{entityId}/{objectId}', `/files/${file}`)
    .replace('console/{asset}', /console\/[^"]+\.js/.exec(page)?.[0] ?? '')
    .replace('docs/{asset}', /docs\/[^"]+\.js/.exec(docs)?.[0] ?? '')
    .replace('{source}/{externalId}', 'vndb/v1')
    .replace('{source}', 'vndb')
    .replace(/\{\w+\}/g, pathId)
  const query = operation.parameters
    .map((part) => resolveRef(document, part))
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${sampleOfSchema(document, schema, { isFull: true, id: pathId })}`)
  const body = operation.requestBody && {}
  return { method, path, address: query.length > 0 ? `${address}?${query.join('&')}` : address, body }
})

const spaces = (length: number) => `{${' '.repeat(length - 2)}}`
/** Requests that nginx treats specially: the longest address, the largest bodies, paths without their slash, sockets. */
const SPECIAL = [
  { method: 'get', path: '/games/by-ids', address: `/games/by-ids?_ids=${Array(500).fill(UNKNOWN).join(',')}` },
  ...[BODY_MAX_BYTES.preset, BODY_MAX_BYTES.preset + 1].map((length) => ({
    method: 'put',
    path: '/user/presets/{userId}',
    address: `/user/presets/${admin.id}`,
    body: spaces(length),
  })),
  { method: 'get', path: '/socket.io', address: '/socket.io' },
  { method: 'get', path: '/socket.io/', address: '/socket.io/?EIO=4&transport=polling' },
]

const site = createServer((_request, response) => {
  response.writeHead(404).end('site')
})
afterAll(() => site.close())
const upstreams = { gamehall: [service.port], site: await listenLocally(site) }

/** Replaces times in an answer, which differ between two requests. */
const withoutTimes = (text: string) => text.replace(/[\d-]{10}T[\d:.]+Z/g, '<time>')

type Operation = Pick<(typeof operations)[number], 'method' | 'path' | 'address'> & { body?: unknown }

async function ask(baseUrl: string, { method, path, address, body }: Operation, isGuest: boolean) {
  const caller = createCaller({ baseUrl, user: isGuest ? undefined : admin.user })
  const answer = await callOf(caller, method)(address, body === undefined ? {} : { body })
  const text = withoutTimes(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  const type = answer.headers.get('content-type')
  return `${method} ${address.slice(0, 100)}: ${answer.status} ${type} ${MEASURED.includes(path) ? '' : text}`
}

async function askAll(baseUrl: string) {
  const answers = new Map<string, string[]>()
  for (const operation of [...operations, ...SPECIAL]) {
    const both = [await ask(baseUrl, operation, true), await ask(baseUrl, operation, false)]
    answers.set(operation.path, [...(answers.get(operation.path) ?? []), ...both])
  }
  return answers
}

const bare = await askAll(service.baseUrl)

it('most routes that read answer with data, not with a refusal', () => {
  const read = operations.filter(({ method }) => method === 'get')
  const found = read.filter(({ path }) => bare.get(path)?.some((answer) => /^get \S+: (200|302) /.test(answer)))
  expect(found.length).toBeGreaterThan(30)
  expect(found.length).toBeGreaterThan(read.length - 5)
})

it.each<[(typeof NGINX_EXAMPLES)[number], readonly string[]]>([
  ['alone', []],
  ['beside-site', [...INTERNAL, '/socket.io']],
  ['balancer', []],
])('every route answers through %s as at the port of the service', async (example, exceptions) => {
  const proxy = await useNginx(example, upstreams)
  const answers = await askAll(proxy.baseUrl)
  for (const path of exceptions) expect(answers.get(path)).toContainEqual(expect.stringMatching(/: 404 null /))
  for (const [path, both] of bare) if (!exceptions.includes(path)) expect(answers.get(path)).toEqual(both)
})

it.each(['images', 'images of compose.yaml'] as const)(
  '%s shows the objects of the storage, and no route',
  async (example) => {
    const bucket = await useTestBucket()
    const storage = createS3Storage({ s3: bucket.s3 })
    const bytes = pngOf(100)
    await storage.put(file, { bytes, type: 'image/png' })
    const proxy = await useNginx(example, { storage: `${bucket.s3.endpoint}/${bucket.s3.bucket}` })
    const get = (path: string, method = 'GET') => fetch(`${proxy.baseUrl}/${path}`, { method })

    const shown = await get(`${file}?response-content-type=text/html`)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(bytes)
    expect((await get(newKey())).status).toBe(404)
    expect((await get(file, 'DELETE')).status).toBe(403)
    for (const operation of operations) expect(await ask(proxy.baseUrl, operation, false)).toMatch(/: 404 text\/html/)
  },
)
