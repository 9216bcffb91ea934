import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fetchOfficialMongod } from '#lib/infrastructure/embedded-mongo/find-mongod'
import { listKeptMongods } from '#lib/infrastructure/embedded-mongo/probe-mongod'
import { cleanUp, makeFolder } from './embedded-process.ts'
import { fakeMongod, keepLines, writeScript } from './fakes.ts'

const run = promisify(execFile)

let server: Server
let cacheDir: string

async function makeArchive(): Promise<Buffer> {
  const folder = await makeFolder()
  await writeScript(join(folder, 'mongodb', 'bin', 'mongod'), fakeMongod('7.0.43'))
  await run('tar', ['-czf', 'archive.tgz', 'mongodb'], { cwd: folder })
  return await readFile(join(folder, 'archive.tgz'))
}

const archive = await makeArchive()
beforeEach(async () => {
  cacheDir = await makeFolder()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  server.close()
  await cleanUp()
})

/** Starts a stand-in for the server of the official builds. */
async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  vi.stubEnv('MONGOMS_DOWNLOAD_MIRROR', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  vi.stubEnv('MONGOMS_USE_HTTP', 'true')
}

const serveArchive =
  (md5: string): RequestListener =>
  (request, response) => {
    const body = request.url?.endsWith('.md5') ? `${md5}  archive.tgz` : archive
    response.setHeader('content-length', body.length).end(body)
  }

it('the downloaded build is kept, and nothing else', async () => {
  await serve(serveArchive(createHash('md5').update(archive).digest('hex')))
  const { lines, log } = keepLines()

  const found = await fetchOfficialMongod({ cacheDir, log })
  expect(found.version).toBe('7.0.43')
  expect(await listKeptMongods(cacheDir)).toEqual([found.path])
  expect(await readdir(cacheDir)).toHaveLength(1)
  expect(lines[0]).toBe('Downloading the official MongoDB 7.0.43')
})

it('a build with a wrong checksum is refused', async () => {
  await serve(serveArchive('0'.repeat(32)))
  await expect(fetchOfficialMongod({ cacheDir, log: keepLines().log })).rejects.toThrow(/MD5/)
  expect(await readdir(cacheDir)).toEqual([])
})

it('a download has one attempt', async () => {
  let requests = 0
  await serve((_request, response) => {
    requests++
    response.writeHead(503).end()
  })
  await expect(fetchOfficialMongod({ cacheDir, log: keepLines().log })).rejects.toThrow(/503/)
  expect(requests).toBe(1)
})

it('a download ends when no byte arrives any more', async () => {
  let isGivenUp: Promise<unknown> | undefined
  await serve((request, response) => {
    isGivenUp = once(request.socket, 'close')
    response.writeHead(200, { 'content-length': 1_000_000 }).write('the first bytes')
  })
  // The downloading process has started and sent its request within this time.
  await expect(fetchOfficialMongod({ cacheDir, log: keepLines().log }, 10_000)).rejects.toThrow('no byte came for 10 s')
  expect(isGivenUp).toBeDefined()
  await isGivenUp
  expect(await readdir(cacheDir)).toEqual([])
})
