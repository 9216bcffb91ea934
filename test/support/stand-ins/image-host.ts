import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { serveLocally } from '../processes/listen-locally.ts'
import { IMAGE_FORMATS, makeImage } from '../rows/images.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>'
const DRIP_MS = 20
const PIECE = Buffer.alloc(65_536)

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png' })
  const timer = setInterval(() => response.write('x'), DRIP_MS)
  response.on('close', () => clearInterval(timer))
}

function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png' })
  const pour = () => {
    while (!response.destroyed && response.write(PIECE));
  }
  response.on('drain', pour)
  pour()
}

/**
 * A host of images on loopback. The first part of a path says what it answers with, the rest is free: `/png/1`, `/png/2`.
 * - a format of `makeImage`: that image
 * - `404`, `html`, `svg`, `text` (an image that is called text), `mislabelled` (a PNG that is called a JPEG), `garbage`
 * - `encoded?as=…`: an image with this for its `Content-Encoding`, its type sent twice
 * - `gzip`: an image, compressed; `length`: says that it is larger than allowed
 * - `slow`: byte after byte without an end; `endless`: as fast as it can; `cut`: breaks off; `silent`: never answers
 * - `held`: an image once `release` is called
 * - `redirect?to=…&status=302`: there; without `to`, nowhere
 */
export async function startImageHost() {
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  const sockets = new Set<Socket>()
  const held = new Set<ServerResponse>()
  const png = makeImage('png')

  const send = (response: ServerResponse, type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(body)

  function redirect(response: ServerResponse, { searchParams }: URL): void {
    const to = searchParams.get('to')
    // Raw UTF-8, which a header may not hold otherwise.
    const location = to !== null && { location: Buffer.from(to).toString('latin1') }
    response.writeHead(Number(searchParams.get('status') ?? 302), { 'set-cookie': 'seen=yes', ...location }).end()
  }

  const modes: Record<string, (response: ServerResponse, url: URL) => unknown> = {
    ...Object.fromEntries(
      IMAGE_FORMATS.map((format) => [
        format,
        (response: ServerResponse) => send(response, `image/${format.replace(/-.*/, '')}`, makeImage(format)),
      ]),
    ),
    404: (response) => response.writeHead(404, { 'content-type': 'image/png' }).end(png),
    html: (response) => send(response, 'text/html', '<!doctype html><title>Hello</title>'),
    svg: (response) => send(response, 'image/svg+xml', SVG),
    text: (response) => send(response, 'text/plain', png),
    mislabelled: (response) => send(response, 'image/jpeg', png),
    garbage: (response) => send(response, 'image/png', 'this is no picture at all'),
    gzip: (response) => send(response, 'image/png', gzipSync(png), { 'content-encoding': 'gzip' }),
    encoded: (response, { searchParams }) =>
      response
        .writeHead(200, [
          'content-type',
          'image/png',
          'content-type',
          'image/png',
          ...searchParams.getAll('as').flatMap((encoding) => ['content-encoding', encoding]),
        ])
        .end(png),
    length: (response) => response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1e9 }).write(png),
    slow: drip,
    endless: flood,
    cut: (response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': png.length })
      response.write(png.subarray(0, 40), () => response.destroy())
    },
    silent: () => undefined,
    held: (response) => {
      held.add(response)
      response.on('close', () => held.delete(response))
    },
    redirect,
  }

  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const url = new URL(path, 'http://host')
    requests.push({ path, headers: request.headers })
    const mode = modes[url.pathname.split('/')[1] ?? '']
    if (mode === undefined) response.writeHead(404).end()
    else mode(response, url)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const { port, close } = await serveLocally(server)
  const place = `127.0.0.1:${port}`

  return {
    /** `host:port`, as `IMAGE_FETCH_ALLOW` takes it. */
    place,
    port,
    link: (path: string) => `http://${place}/${path}`,
    requests,
    sockets,
    held,
    /** Answers what is held, the oldest first. */
    release(count = held.size) {
      for (const response of [...held].slice(0, count)) {
        held.delete(response)
        send(response, 'image/png', png)
      }
    },
    close,
  }
}
