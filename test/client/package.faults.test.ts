import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, describe, expect, test } from 'vitest'
import { loadFunctions } from '../../lib/web/http/load-functions.ts'
import { startService } from '../support/service/start-service.ts'
import { provideTool } from '../support/tools/provide-tool.ts'

const execute = promisify(execFile)
const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url))
const CLIENT_MAX_BYTES = 12 * 1024
const TYPESCRIPT_FIVE = '5.9.3'

/** Unpacks the compiler of the SPA below a folder and answers its program. */
async function unpackTypeScriptFive(folder: string): Promise<string> {
  const tarball = await provideTool({
    name: `typescript-${TYPESCRIPT_FIVE}.tgz`,
    sha256: '10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3',
    async fetch(to) {
      await execute('npm', ['pack', `typescript@${TYPESCRIPT_FIVE}`, '--silent'], { cwd: to })
      return join(to, `typescript-${TYPESCRIPT_FIVE}.tgz`)
    },
  })
  await execute('tar', ['-xzf', tarball, '-C', folder])
  return join(folder, 'package', 'bin', 'tsc')
}

const CODE = `
import { type ApiError, createClient, settle } from 'gamehall/client'
import { type Comment, ROYAL_GAMES_LIMIT } from 'gamehall/contract'

const hall = createClient({ baseUrl: 'https://play.example' })
const id = 'a'.repeat(24)

const liked = await settle(hall.call('PUT /comments/:id/like', { params: { id } }))
if (liked.ok) console.log(liked.value.count + 1, liked.value.isActive)
else {
  const status: 0 | 400 | 401 | 403 | 404 | 409 | 413 | 429 | 431 | 500 | 503 = liked.error.status
  console.log(status, liked.error.issues, liked.error.body?.duplicates, liked.error.requestId, liked.error.retryAfter)
}
const page = await hall.call('GET /games/:gameId/comments', { params: { gameId: id }, query: { take: 20, page: '2' } })
const comments: Comment[] = page.results
const file: Response = await hall.call('GET /docs')
await hall.call('GET /healthz')
// @ts-expect-error no such endpoint
await hall.call('PUT /comments/:id/likes', { params: { id } })
// @ts-expect-error the parameters are missing
await hall.call('PUT /comments/:id/like')
// @ts-expect-error another parameter
await hall.call('PUT /comments/:id/like', { params: { commentId: id } })
// @ts-expect-error no such order
await hall.call('GET /games/:gameId/comments', { params: { gameId: id }, query: { sort: 'old' } })
// @ts-expect-error a number where text is meant
await hall.call('PATCH /comments/:id', { params: { id }, body: { body: 7 } })
// @ts-expect-error this endpoint never refuses so
if (!liked.ok && liked.error.status === 502) console.log()

const socket = hall.socket('/royal')
socket.on('royal:changed', ({ royalGames }) => royalGames.length)
const ack = await socket.request('royal:move', { gameId: id, before: null })
if (ack.ok) console.log(ack.royalGames, ack.rejected)
// @ts-expect-error an event of another namespace
socket.on('comment:likes', () => {})

const discussion = hall.discussion(id, { sort: 'new' })
const shown: readonly Comment[] = discussion.get().comments
const moved: boolean = (await hall.royal().move(id, null)).ok
const error: ApiError | null = hall.conflicts('igdb').get().error
console.log(comments, file, shown, moved, error, ROYAL_GAMES_LIMIT)
`

const folder = await mkdtemp(join(tmpdir(), 'gamehall-spa-'))
const service = await startService()
const tarball = await fetch(`${service.baseUrl}/client.tgz`)
expect(tarball.status, 'npm run build makes it').toBe(200)
await writeFile(join(folder, 'client.tgz'), new Uint8Array(await tarball.arrayBuffer()))
await writeFile(join(folder, 'package.json'), '{ "name": "spa", "private": true, "type": "module" }')
const flags = ['--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
await execute('npm', ['install', './client.tgz', ...flags], { cwd: folder })
// The types need nothing else.
await symlink(join(MODULES, 'zod'), join(folder, 'node_modules', 'zod'))
await writeFile(join(folder, 'spa.ts'), CODE)
await mkdir(join(folder, 'five'))
const typescriptFive = await unpackTypeScriptFive(join(folder, 'five'))
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

test('200: the package has its own type and file name', async () => {
  const { status, headers } = await service.guest.get('/client.tgz')

  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/gzip')
  expect(headers.get('content-disposition')).toBe('attachment; filename="client.tgz"')
})

test('the manifest names its exports and peers', async () => {
  const text = await readFile(join(folder, 'node_modules', 'gamehall', 'package.json'), 'utf8')
  const manifest = JSON.parse(text)

  expect(manifest).toMatchObject({ name: 'gamehall', type: 'module', sideEffects: false })
  expect(Object.keys(manifest.exports)).toEqual(['./client', './contract'])
  expect(Object.keys(manifest.peerDependencies)).toEqual(['socket.io-client', 'zod'])
  expect(manifest).not.toHaveProperty('dependencies')
})

test('the package names every endpoint, and holds nothing of the server', async () => {
  const root = join(folder, 'node_modules', 'gamehall')
  const names = await readFile(join(root, 'functions', 'routes.d.ts'), 'utf8')
  const functions = await loadFunctions()

  expect(Array.from(names.matchAll(/^ {2}'(.+)': /gm), ([, name]) => name).toSorted()).toEqual(
    functions.map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
  expect((await readdir(root)).toSorted()).toEqual(['README.md', 'functions', 'lib', 'package.json'])
  expect((await readdir(join(root, 'lib'))).toSorted()).toEqual(['client', 'contract'])
  const files = await readdir(join(root, 'functions'), { recursive: true, withFileTypes: true })
  expect(files.filter((file) => file.isFile() && !file.name.endsWith('.d.ts'))).toEqual([])
})

// Compiler and resolution do not depend on each other, so each of them is tried once.
test.each([
  ['bundler', '5.9'],
  ['nodenext', '7'],
])(
  'a site with moduleResolution %s type-checks under TypeScript %s',
  { timeout: 240_000 },
  async (moduleResolution, version) => {
    const config = {
      compilerOptions: {
        moduleResolution,
        module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        strict: true,
        noEmit: true,
        types: [],
        // One compiler checks the declarations themselves; sites skip that.
        skipLibCheck: version !== '7',
      },
      files: ['spa.ts'],
    }
    const project = join(folder, `tsconfig.${moduleResolution}.${version}.json`)
    await writeFile(project, JSON.stringify(config))
    const compiler = version === '7' ? join(MODULES, 'typescript', 'bin', 'tsc') : typescriptFive
    const { stdout: printed } = await execute(process.execPath, [compiler, '--version'])
    expect(printed).toContain(`Version ${version}`)

    // One run checks all, because every run reads the types of the libraries.
    const flags = version === '7' ? ['--checkers', '1'] : []
    const { stdout } = await execute(process.execPath, [compiler, '-p', project, ...flags]).catch((error) => error)
    expect(stdout).toBe('')
  },
)

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    external: ['socket.io-client'],
    platform: 'browser',
  })
  return outputFiles[0]?.text ?? ''
}

describe('in a bundle', () => {
  test('the whole client is small, and has nothing of zod', async () => {
    const code = await bundle(`export * from 'gamehall/client'`)

    expect(gzipSync(code).length).toBeLessThanOrEqual(CLIENT_MAX_BYTES)
    expect(code).not.toContain('invalid_union')
    console.log(`the client: ${gzipSync(code).length} bytes gzipped`)
  })

  test('unused code is left out of a bundle', async () => {
    const code =
      await bundle(`import { settle } from 'gamehall/client'; import { ROYAL_GAMES_LIMIT } from 'gamehall/contract'
      console.log(settle, ROYAL_GAMES_LIMIT)`)

    expect(code.length).toBeLessThan(2_000)
    expect(code).toContain('500')
  })
})
