import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { VERSION } from '#lib/base/version'
import { ImageError } from '#lib/infrastructure/images/images'
import { listenLocally } from '../../../support/processes/listen-locally.ts'
import { IMAGE_FORMATS, makeImage } from '../../../support/rows/images.ts'
import { startImageHost } from '../../../support/stand-ins/image-host.ts'
import { openImages } from './open-images.ts'

const host = await startImageHost()
afterAll(() => host.close())
beforeEach(() => {
  host.requests.length = 0
})
afterEach(async () => {
  await expect.poll(() => host.sockets.size).toBe(0)
})

type Limits = NonNullable<Parameters<typeof openImages>[0]>['limits']

const open = (limits: Limits = {}) => openImages({ allow: [host.place], limits })
const fails = (path: string, message: string, limits?: Limits) =>
  expect(open(limits).fetch(host.link(path))).rejects.toThrow(new ImageError(message))

async function startServer(treat: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    treat(socket)
  })
  onTestFinished(async () => {
    await expect.poll(() => sockets.size).toBe(0)
    server.close()
  })
  return `127.0.0.1:${await listenLocally(server)}`
}

const answering = (text: string) => startServer((socket) => socket.once('data', () => socket.end(text)))

test.each(IMAGE_FORMATS)('an image: %s arrives as it was sent', async (format) => {
  expect(await open().fetch(host.link(format))).toMatchObject({ bytes: makeImage(format), width: 16, height: 9 })
})

test('an image is requested without cookies, a referer or compression', async () => {
  await openImages({ allow: [host.place], env: { PUBLIC_URL: 'https://games.example' } }).fetch(
    host.link('redirect?to=/png'),
  )

  expect(host.requests).toHaveLength(2)
  for (const { headers } of host.requests)
    expect(headers).toEqual({
      host: host.place,
      connection: 'close',
      accept: 'image/*',
      'accept-encoding': 'identity',
      'user-agent': `gamehall/${VERSION} (+https://games.example/)`,
    })
})

test('an image of the largest size is accepted, one byte more is not', async () => {
  const { length } = makeImage('png')
  await open({ bytes: length }).fetch(host.link('png'))

  await fails('png', `it is larger than ${(length - 1) / 1024 / 1024} MB`, { bytes: length - 1 })
})

test.each(['none', 'identity', 'aws-chunked', 'utf-8', 'identity&as=identity'])(
  'an image that is sent as %s, with its type twice, is accepted',
  async (encoding) => {
    expect(await open().fetch(host.link(`encoded?as=${encoding}`))).toMatchObject({ type: 'image/png' })
  },
)

test.each(['gzip', 'x-gzip', 'BR', 'aws-chunked, zstd', 'identity&as=deflate'])(
  'an answer with the encoding %s is refused',
  (encoding) => fails(`encoded?as=${encoding}`, 'its host sent it compressed'),
)

test.each([
  ['404', 'its host answered with status 404'],
  ['html', 'it is no image'],
  ['text', 'it is no image'],
  ['svg', 'it is no JPEG, PNG, GIF, WebP or AVIF'],
  ['garbage', 'it is no JPEG, PNG, GIF, WebP or AVIF'],
  ['gzip', 'its host sent it compressed'],
  ['length', 'it is larger than 15 MB'],
  ['endless', 'it is larger than 15 MB'],
  ['cut', 'the connection to its host failed'],
  ['silent', 'its download took longer than 0.2 seconds', { totalMs: 200 }],
  ['slow', 'its download took longer than 0.2 seconds', { totalMs: 200 }],
])('an image at %s is refused: %s', (path, message, limits?: Limits) => fails(path, message, limits))

test.each([
  ['that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['of nothing', ''],
  ['that ends within its headers', 'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n'],
  ['with headers without an end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`],
  ['of two lengths', 'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'],
  ['with a chunk cut off', 'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ntransfer-encoding: chunked\r\n\r\n20\r\nx'],
])('an answer %s is refused', async (_, text) => {
  const place = await answering(text)

  await expect(openImages({ allow: [place] }).fetch(`http://${place}/`)).rejects.toThrow(
    new ImageError('the connection to its host failed'),
  )
})

test('a host that does not connect in time is refused', async () => {
  const place = await startServer((socket) => socket.resume())
  const images = openImages({ allow: [place], limits: { connectMs: 100 } })

  await expect(images.fetch(`https://${place}/`)).rejects.toThrow(
    new ImageError('its host could not be reached within 0.1 seconds'),
  )
})

test('a host whose name does not resolve in time is refused', async () => {
  const images = openImages({ limits: { connectMs: 100 }, resolve: () => new Promise(() => undefined) })

  await expect(images.fetch('http://images.example/')).rejects.toThrow(
    new ImageError('its host could not be reached within 0.1 seconds'),
  )
})

/** Returns a path behind this number of redirects. */
const behind = (count: number) => {
  let path = '/png'
  for (let hop = 0; hop < count; hop += 1) path = `/redirect?to=${encodeURIComponent(path)}`
  return path.slice(1)
}

test.each([301, 302, 303, 307, 308])('a redirect with %i is followed', async (status) => {
  await open().fetch(host.link(`redirect?status=${status}&to=/png`))

  expect(host.requests.map(({ path }) => path)).toEqual([`/redirect?status=${status}&to=/png`, '/png'])
})

test.each([300, 304, 305])('a redirect with %i is not followed', async (status) => {
  await fails(`redirect?status=${status}&to=/png`, `its host answered with status ${status}`)
  expect(host.requests).toHaveLength(1)
})

test.each(['/png', '../png', '//PLACE/png', 'http://PLACE/png'])('a redirect to %s is resolved', async (to) => {
  const path = `redirect/to?to=${encodeURIComponent(to.replace('PLACE', host.place))}`

  expect(await open().fetch(host.link(path))).toMatchObject({ width: 16 })
})

test('a redirect without an address is refused', () => fails('redirect/of/itself', 'its redirect leads nowhere'))

test('a redirect in raw UTF-8 is followed', async () => {
  await open().fetch(host.link(`redirect?to=${encodeURIComponent('/png/灯台-ä?ö=%C3%BC')}`))

  expect(decodeURIComponent(host.requests.at(-1)?.path ?? '')).toBe('/png/灯台-ä?ö=ü')
})

test('5 redirects are followed, 6 are not', async () => {
  await open().fetch(host.link(behind(5)))
  expect(host.requests).toHaveLength(6)

  await fails(behind(6), 'it is behind more than 5 redirects')
  expect(host.requests).toHaveLength(12)
})

test.each(['silent', 'slow', 'held', 'redirect?to=/silent'])('the caller ends a download of %s', async (path) => {
  const caller = new AbortController()
  const result = open().fetch(host.link(path), { signal: caller.signal })
  result.catch(() => undefined)
  await expect.poll(() => host.requests.length).toBe(path.startsWith('redirect') ? 2 : 1)

  caller.abort('enough')
  await expect(result).rejects.toBe('enough')
})

test('a caller whose signal is aborted requests nothing', async () => {
  await expect(open().fetch(host.link('png'), { signal: AbortSignal.abort('over') })).rejects.toBe('over')
  expect(host.requests).toEqual([])
})
