import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../lib/infrastructure/db/connect.ts'
import { freePort } from '../support/processes/free-port.ts'
import { shellEnvironment } from '../support/processes/shell-environment.ts'
import { type Started, startProgram } from '../support/processes/start-program.ts'
import { insertUser } from '../support/rows/rows.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'
import { dropDatabase } from '../support/service/drop-database.ts'
import { makeImageFolder } from './make-image-folder.ts'
import { provideNode24 } from './provide-tools.ts'
import { REPOSITORY } from './read-dockerfile.ts'

const execute = promisify(execFile)
const JWT_SECRET = 'a secret of at least thirty-two characters'

let folder: string
let app: string
/** The folder of the build stage, with this repository, its packages and its build. */
let built: string
let environment: Record<string, string>
let image: Awaited<ReturnType<typeof makeImageFolder>>
let shipped: string[]
let db: Database
let service: Started
let baseUrl: string

/** Runs a command, by default as the container does. Returns its output and its exit code. */
const runInside = ([command = '', ...args]: string[], { env = environment, cwd = app } = {}) =>
  execute(command, args, { cwd, env }).then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      printed: stdout + stderr,
    }),
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gamehall-image-'))
  const programs = join(folder, 'programs')
  await mkdir(programs)
  await symlink(await provideNode24(), join(programs, 'node'))
  const shell = shellEnvironment()
  const withNode24 = { ...shell, PATH: `${programs}:${shell.PATH}` }

  image = await makeImageFolder({ folder, environment: withNode24 })
  app = join(image.root, image.workdir)
  built = join(folder, 'build', image.workdir)
  shipped = await readdir(app, { recursive: true })

  const port = await freePort()
  const uri = newDatabaseUri()
  db = openDatabase(uri)
  baseUrl = `http://127.0.0.1:${port}`
  environment = {
    ...withNode24,
    ...image.env,
    DATA_DIR: join(image.root, image.env.DATA_DIR ?? ''),
    HOME: join(folder, 'nobody'),
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: 'https://live.example.com',
    CORS_ORIGINS: 'https://example.com',
    MONGODB_URI: uri,
    JWT_SECRET,
  }
  const [command = '', ...args] = image.command
  service = startProgram(command, args, { cwd: app, env: environment })
  await service.printed(/Listening on port/)
}, 480_000)

afterAll(async () => {
  service?.child.kill('SIGKILL')
  if (db !== undefined) {
    await dropDatabase(environment.MONGODB_URI ?? '')
    await db.close()
  }
  await rm(folder, { recursive: true, force: true })
})

it('the image is made by the commands of the Dockerfile, all but one that only a container needs', () => {
  expect(image.notRun).toEqual(['install --directory --mode=0700 --owner=node --group=node /data'])
})

it('the image holds what was built and what production needs, neither sources nor tools', async () => {
  const { packages } = JSON.parse(await readFile(join(REPOSITORY, 'package-lock.json'), 'utf8'))
  const tools = Object.keys(packages).filter((path) => packages[path].dev)
  expect(tools.length).toBeGreaterThan(100)
  expect(tools.filter((path) => existsSync(join(app, path)))).toEqual([])

  const own = shipped.filter((path) => !path.startsWith('node_modules'))
  expect(own.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([])
  expect(own).toEqual(expect.arrayContaining(['package.json', 'lib/ops/prepare.mjs', 'dist/lib/main.js']))
})

it('the folder of the build needs no further preparation', async () => {
  expect(await runInside(['node', 'lib/ops/prepare.mjs'], { cwd: built })).toEqual({ code: 0, printed: '' })
})

it('the list of packages has every one of production, and no other', async () => {
  const { components } = JSON.parse(await readFile(join(app, 'sbom.json'), 'utf8'))
  const { packages } = JSON.parse(await readFile(join(app, 'node_modules/.package-lock.json'), 'utf8'))
  const listed: string[] = components.map(({ name, version }: Record<string, string>) => `${name}@${version}`)
  const shipped = Object.keys(packages).map((path) => `${path.split('node_modules/').at(-1)}@${packages[path].version}`)
  expect([...new Set(listed)].sort()).toEqual([...new Set(shipped)].sort())
})

it.runIf(process.platform === 'linux' && process.arch === 'x64')('the image runs under Node 24', async () => {
  expect((await runInside(['node', '--version'])).printed).toMatch(/^v24\./)
})

it('200 for /healthz, /readyz and the documentation of a service in the image', async () => {
  for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json', '/asyncapi.json']) {
    const answer = await fetch(baseUrl + path)
    expect([path, answer.status]).toEqual([path, 200])
    // An unread answer would hold up the stop below.
    await answer.arrayBuffer()
  }
})

it('the image passes its health check', async () => {
  expect(await runInside(image.healthcheck)).toEqual({ code: 0, printed: '' })
})

it('`npm run admin` and `npm run password` work in the image, without a build', async () => {
  const { _id } = await insertUser({ db, jwtSecret: JWT_SECRET }, { userName: 'dana' })

  const admin = await runInside(['npm', 'run', 'admin', '--', 'dana'])
  expect(admin).toEqual({ code: 0, printed: expect.stringContaining('dana is an admin now') })
  expect(await db.users.findOne({ _id })).toMatchObject({ roles: expect.arrayContaining(['admin']) })

  const password = await runInside(['npm', 'run', 'password', '--', 'dana'])
  expect(password).toEqual({ code: 0, printed: expect.stringContaining('The new password of dana: ') })
})

it('a service in the image ends with 0 within 10 s of a SIGTERM; then its health check fails, and its folder is unchanged', async () => {
  const begin = performance.now()
  service.child.kill('SIGTERM')

  expect(await service.ended).toMatchObject({ code: 0, signal: null })
  expect(performance.now() - begin).toBeLessThan(10_000)
  expect((await runInside(image.healthcheck)).code).toBe(1)
  expect(await readdir(app, { recursive: true })).toEqual(shipped)
})
