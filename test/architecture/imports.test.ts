import { beforeAll, describe, expect, test } from 'vitest'
import { readSources, type Source } from '../support/sources.ts'

let functions: Source[]
let realtime: Source[]
let lib: Source[]

beforeAll(async () => {
  functions = await readSources('functions')
  realtime = await readSources('realtime')
  lib = await readSources('lib')
})

/** The imports of some files that a rule does not allow, each as `file imports target`. */
const foreign = (sources: readonly Source[], isAllowed: (target: string, file: string) => boolean) =>
  sources.flatMap(({ file, imports }) =>
    imports.filter((target) => !isAllowed(target, file)).map((target) => `${file} imports ${target}`),
  )

const isBelow = (target: string, ...folders: string[]) => folders.some((folder) => target.startsWith(`${folder}/`))
const isOf = (target: string, name: string) => target === name || target.startsWith(`${name}/`)
/** Not a router, only what is said in its cookies and tokens. */
const TOKENS = new Set(['hono/jwt', 'hono/utils/cookie'])

/** The files that see all sides, or build what all sides share. */
const ROOTS = new Set(['lib/app.ts', 'lib/main.ts', 'lib/deps.ts', 'lib/create-deps.ts'])
const domains = () => lib.filter(({ file }) => !ROOTS.has(file) && !isBelow(file, 'lib/http', 'lib/docs'))

test('the scan finds the imports it is to judge', () => {
  expect(functions.length).toBeGreaterThan(20)
  expect(lib.find(({ file }) => file === 'lib/app.ts')?.imports).toEqual(
    expect.arrayContaining(['node:http', 'hono', 'realtime/server.ts', 'lib/http/mount.ts']),
  )
})

describe('imports go down', () => {
  test('functions import lib/ alone, and the driver for its ids', () => {
    expect(foreign(functions, (target) => isBelow(target, 'lib') || target === 'mongodb')).toEqual([])
  })

  test('functions do not import what starts the service', () => {
    expect(foreign(functions, (target) => !ROOTS.has(target) && target !== 'lib/config.ts')).toEqual([])
  })

  test('realtime imports lib/ and Socket.IO, never functions/ or the router', () => {
    expect(
      foreign(realtime, (target) => !isBelow(target, 'functions', 'lib/http', 'lib/docs') && !isOf(target, 'hono')),
    ).toEqual([])
  })

  test('Socket.IO is imported by realtime/ alone, its client by the client', () => {
    const isClient = (target: string, file: string) => target === 'socket.io-client' && isBelow(file, 'lib/client')
    const isAllowed = (target: string, file: string) =>
      !/^(socket\.io|engine\.io)/.test(target) || isClient(target, file)

    expect(foreign([...functions, ...lib], isAllowed)).toEqual([])
  })

  test('the client knows the contract and the names of the functions, nothing else of the service', () => {
    const client = lib.filter(({ file }) => isBelow(file, 'lib/client'))
    const others = lib.filter(({ file }) => !isBelow(file, 'lib/client'))
    const own = new Set(['socket.io-client', '#functions'])

    expect(client.length).toBeGreaterThan(10)
    expect(foreign(client, (target) => own.has(target) || isBelow(target, 'lib/client', 'lib/contract'))).toEqual([])
    expect(foreign([...functions, ...realtime, ...others], (target) => !isBelow(target, 'lib/client'))).toEqual([])
  })

  test('the client takes types alone from the contract, which would bring zod along', () => {
    const client = lib.filter(({ file }) => isBelow(file, 'lib/client'))
    const bringing = client.filter(({ text }) => /^(import|export) (?!type )[^'"]*'\.\.\/contract\//m.test(text))

    expect(bringing.map(({ file }) => file)).toEqual([])
  })

  test('the router is imported by lib/http and app.ts alone', () => {
    const isRouter = (target: string) => (isOf(target, 'hono') || target.startsWith('@hono/')) && !TOKENS.has(target)

    expect(foreign(domains(), (target) => !isRouter(target))).toEqual([])
    expect(foreign(functions, (target) => !isRouter(target))).toEqual([])
  })

  test('lib/ imports neither functions/ nor realtime/, but where all sides are put together', () => {
    const others = lib.filter(({ file }) => !ROOTS.has(file))
    const shared = lib.filter(({ file }) => file === 'lib/deps.ts' || file === 'lib/create-deps.ts')

    expect(foreign(others, (target) => !isBelow(target, 'functions', 'realtime'))).toEqual([])
    expect(foreign(shared, (target) => !isBelow(target, 'realtime') || target === 'realtime/emitter.ts')).toEqual([])
  })

  test('a domain knows nothing of HTTP or of its documentation', () => {
    expect(foreign(domains(), (target) => !isBelow(target, 'lib/http', 'lib/docs'))).toEqual([])
  })

  test('the collections know no domain', () => {
    const collections = lib.filter(({ file }) => isBelow(file, 'lib/db'))
    const isLower = (target: string) =>
      !isBelow(target, 'lib') || isBelow(target, 'lib/db', 'lib/contract') || target === 'lib/errors.ts'

    expect(foreign(collections, isLower)).toEqual([])
  })

  test('the contract imports zod only, so that the site can have it', () => {
    const contract = lib.filter(({ file }) => isBelow(file, 'lib/contract'))

    expect(contract.length).toBeGreaterThan(5)
    expect(foreign(contract, (target) => target === 'zod' || isBelow(target, 'lib/contract'))).toEqual([])
  })

  test('every file of the contract is in its index', () => {
    const [index] = lib.filter(({ file }) => file === 'lib/contract/index.ts')
    const files = lib.map(({ file }) => file).filter((file) => isBelow(file, 'lib/contract'))

    expect(index?.imports.toSorted()).toEqual(files.filter((file) => file !== 'lib/contract/index.ts'))
  })
})

describe('the process is reached in one place', () => {
  test('the environment is read in lib/config.ts alone', () => {
    const readers = [...functions, ...realtime, ...lib].filter(({ text }) =>
      /process\s*\.\s*env|\benv\b.*'node:process'/.test(text),
    )

    // The last two set what a library reads: the child for the downloader, the other for the SDK.
    expect(readers.map(({ file }) => file)).toEqual([
      'lib/config.ts',
      'lib/db/embedded/official-mongod-child.ts',
      'lib/storage/load-sdk.ts',
    ])
  })

  test('events leave through realtime/emitter.ts alone', () => {
    const emitting = realtime.filter(({ text }) => /\.(emit|send|broadcast)\(/.test(text))

    expect(emitting.map(({ file }) => file)).toEqual(['realtime/emitter.ts'])
  })
})
