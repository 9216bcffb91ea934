import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sendRaw } from '../../../../support/clients/send-raw.ts'
import { newKey, pngOf } from '../../../../support/scenes/storage-scene.ts'
import { SITE, useService } from '../../../../support/service/start-service.ts'
import { useFolder } from '../../../../support/service/use-folder.ts'

const BYTES = Buffer.concat([pngOf(), Buffer.from('0123456789', 'latin1')])
const SIZE = BYTES.length
const LARGE = pngOf(3_000_000)

const at = (...path: string[]) => join(dataDir, 'files', ...path)
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service.baseUrl}/files/${path}`, { method, headers })
const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length

const dataDir = await useFolder()
const service = await useService({ env: { DATA_DIR: dataDir } })
const key = newKey()
const large = newKey('screenshots')
await service.deps.storage.put(key, { bytes: BYTES, type: 'image/png' })
await service.deps.storage.put(large, { bytes: LARGE, type: 'image/png' })
await writeFile(join(dataDir, 'secret'), 'nobody reads this')

test('200 for everybody, with headers that let every site show the image and let it run nothing', async () => {
  const answer = await get(key, { origin: SITE })

  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': SITE,
    'content-type': 'image/png',
    'content-length': String(SIZE),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag: expect.stringMatching(/^"[^"]+"$/),
  })
  expect(Buffer.from(await answer.arrayBuffer()).equals(BYTES)).toBe(true)
})

test('200: a large image arrives whole', async () => {
  expect(Buffer.from(await (await get(large)).arrayBuffer()).equals(LARGE)).toBe(true)
})

test('200 for HEAD without the bytes; no file stays open, also when a reader of the whole leaves', async () => {
  const before = await openFiles()

  for (let count = 0; count < 30; count++) {
    const head = await get(large, {}, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(LARGE.length))
    expect(head.headers.get('content-type')).toBe('image/png')
    expect(await head.text()).toBe('')

    const leave = new AbortController()
    const answer = await fetch(`${service.baseUrl}/files/${large}`, { signal: leave.signal })
    await answer.body?.getReader().read()
    leave.abort()
  }

  await expect.poll(openFiles, { timeout: 30_000 }).toBeLessThan(before + 15)
})

test.each([
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\x10\x00\x00\x00WEBPVP8 '],
  ['image/avif', '\x00\x00\x00\x20ftypavif'],
  ['image/avif', '\x00\x00\x00\x20ftypavis'],
  ['application/octet-stream', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['application/octet-stream', 'GI'],
])('200 with the type %s of its first bytes', async (type, text) => {
  const other = newKey('characters')
  await service.deps.storage.put(other, { bytes: Buffer.from(text, 'latin1'), type: 'text/html' })

  const answer = await get(other)

  expect(answer.headers.get('content-type')).toBe(type)
  expect((await answer.arrayBuffer()).byteLength).toBe(text.length)
})

test('304 for a reader who has the image, also with several tags, weak ones, and *', async () => {
  const { headers } = await get(key)
  const etag = headers.get('etag') ?? ''

  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await get(key, { 'if-none-match': tags, range: 'bytes=0-1' })
    expect(answer.status, tags).toBe(304)
    expect(answer.headers.get('etag')).toBe(etag)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await answer.text()).toBe('')
  }
})

test('200 for an image that has changed since', async () => {
  const changing = newKey()
  await service.deps.storage.put(changing, { bytes: pngOf(1, 'a'), type: 'image/png' })
  const etag = (await get(changing)).headers.get('etag') ?? ''
  await service.deps.storage.put(changing, { bytes: pngOf(2, 'b'), type: 'image/png' })

  const answer = await get(changing, { 'if-none-match': etag })

  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).not.toBe(etag)
})

test.each([
  ['bytes=0-3', 0, 3],
  ['bytes=8-', 8, SIZE - 1],
  ['bytes=-4', SIZE - 4, SIZE - 1],
  ['bytes=-9999', 0, SIZE - 1],
])('206 for %s', async (range, first, last) => {
  const answer = await get(key, { range })

  expect(answer.status).toBe(206)
  expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/${SIZE}`)
  expect(answer.headers.get('content-length')).toBe(String(last - first + 1))
  expect(Buffer.from(await answer.arrayBuffer()).equals(BYTES.subarray(first, last + 1))).toBe(true)
})

test.each([`bytes=${SIZE}-`, 'bytes=-0'])('416 for %s: there are no such bytes', async (range) => {
  const answer = await get(key, { range })

  expect(answer.status).toBe(416)
  expect(answer.headers.get('content-range')).toBe(`bytes */${SIZE}`)
  expect(await answer.json()).toEqual({
    statusCode: 416,
    error: 'Range Not Satisfiable',
    message: 'The file has no such bytes',
  })
})

test.each(['bytes=0-1,4-5', 'bytes=3-1', 'lines=1-2'])(
  '200 with the whole for %j, which is no single range',
  async (range) => {
    const answer = await get(key, { range })

    expect(answer.status).toBe(200)
    expect((await answer.arrayBuffer()).byteLength).toBe(SIZE)
  },
)

test('206 for a part of an unchanged image, 200 for a changed one', async () => {
  const etag = (await get(key)).headers.get('etag') ?? ''
  const statusWith = async (ifRange: string) => (await get(key, { range: 'bytes=1-2', 'if-range': ifRange })).status

  expect(await statusWith(etag)).toBe(206)
  expect(await statusWith('"other"')).toBe(200)
  expect(await statusWith(`W/${etag}`)).toBe(200)
  expect(await statusWith('Sat, 21 Nov 2026 14:58:00 GMT')).toBe(200)
})

const hex = '0123456789abcdef01234567'

test.each([
  newKey(),
  `avatars/${hex}/${hex}`,
  `covers/${hex}/${hex.toUpperCase()}`,
  `covers/${hex}/${hex}.png`,
  `covers/${hex}%2F${hex}`,
  `covers/${hex}/..%2F..%2F..%2Fsecret`,
  `covers/%2e%2e%2f%2e%2e%2fsecret/${hex}`,
  `covers/%c0%ae%c0%ae/secret`,
])('404 for what is no image of this storage: %s', async (path) => {
  const answer = await get(path)

  expect(answer.status).toBe(404)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toMatchObject({ statusCode: 404, error: 'Not Found' })
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test.each([
  '/files/../secret',
  '/files/%2e%2e/secret',
  '/files/covers/..\\..\\secret/x',
  '/files/covers/\0/secret',
  `/files/${'../'.repeat(50)}etc/passwd`,
])('404 for what is no image of this storage: %j, sent as it stands', async (path) => {
  const answer = await sendRaw(service.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)

  expect(answer).toMatch(/^HTTP\/1\.1 40[04] /)
  expect(answer).not.toMatch(/nobody reads this|root:/)
})

test('404 for a folder, a link to a file, and a file below a link', async () => {
  const [folder, file, below] = [newKey(), newKey(), newKey('artworks')]
  await mkdir(at(folder), { recursive: true })
  const inside = dirname(at(below))
  await mkdir(dirname(at(file)), { recursive: true })
  await symlink(join(dataDir, 'secret'), at(file))
  await mkdir(dirname(inside), { recursive: true })
  await mkdir(join(dataDir, 'elsewhere'))
  await writeFile(join(dataDir, 'elsewhere', below.slice(-24)), 'nobody reads this')
  await symlink(join(dataDir, 'elsewhere'), inside)

  for (const key of [folder, file, below]) expect((await get(key)).status).toBe(404)
})

test('200 for a file that was stored before the objects moved to a bucket, 404 for an object of the bucket', async () => {
  const s3 = { bucket: 'b', endpoint: 'http://127.0.0.1:9', region: 'r', publicUrl: undefined, forcePathStyle: true }
  const other = await useService({ env: { DATA_DIR: dataDir }, config: { s3 } })

  expect((await other.guest.get(`/files/${key}`)).status).toBe(200)
  expect((await other.guest.get(`/files/${newKey()}`)).status).toBe(404)
})
