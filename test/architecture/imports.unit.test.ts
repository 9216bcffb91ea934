import { expect, test } from 'vitest'
import { readSources, type Source } from '../support/tools/read-sources.ts'

const functions: Source[] = await readSources('functions')
const realtime: Source[] = await readSources('realtime')
const lib: Source[] = await readSources('lib')

/** The imports of some files that a rule does not allow, each as `file imports target`. */
const foreign = (sources: readonly Source[], isAllowed: (target: string, file: string) => boolean) =>
  sources.flatMap(({ file, imports }) =>
    imports.filter((target) => !isAllowed(target, file)).map((target) => `${file} imports ${target}`),
  )

const isBelow = (target: string, ...folders: string[]) => folders.some((folder) => target.startsWith(`${folder}/`))
const isOf = (target: string, name: string) => target === name || target.startsWith(`${name}/`)
/** The parts of the router's package for cookies, tokens and templates. */
const PARTS = new Set(['hono/jwt', 'hono/utils/cookie', 'hono/html'])

/**
 * The layers of the house, the lowest first: imports go to a lower layer or stay in their district, types included. The
 * last one puts everything together: the files of `lib` itself.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['lib/contract'],
  ['lib/base', 'lib/client'],
  ['lib/infrastructure', 'lib/console'],
  ['lib/domain'],
  ['lib/deps.ts'],
  ['lib/ops'],
  ['lib/web'],
  ['realtime'],
  ['functions'],
  ['lib'],
]

/** The districts, with a folder before the one that it lies in. */
const DISTRICTS = LAYERS.flatMap((districts, layer) => districts.map((district) => ({ district, layer }))).sort(
  (a, b) => b.district.length - a.district.length,
)
const findDistrict = (file: string) => DISTRICTS.find(({ district }) => isOf(file, district))

/** The files below those where all sides are put together. */
const domains = () => lib.filter(({ file }) => isBelow(file, 'lib/base', 'lib/infrastructure', 'lib/domain', 'lib/ops'))

test('the scan finds the imports it is to judge', () => {
  expect(functions.length).toBeGreaterThan(20)
  expect(lib.find(({ file }) => file === 'lib/app.ts')?.imports).toEqual(
    expect.arrayContaining(['node:timers/promises', 'hono', 'realtime/server.ts', 'lib/web/http/mount.ts']),
  )
})

const all = () => [...functions, ...realtime, ...lib]

test('every folder of lib is a district of a layer', () => {
  const folders = lib.map(({ file }) => file.split('/').slice(0, 2).join('/')).filter((name) => !name.endsWith('.ts'))

  expect([...new Set(folders)].filter((folder) => findDistrict(folder)?.district !== folder)).toEqual([])
})

test('imports go to a lower layer only, types included', () => {
  const climbs = all().flatMap(({ file, imports }) =>
    imports.flatMap((target) => {
      const [from, to] = [findDistrict(file), findDistrict(target)]
      const isAllowed = from === undefined || to === undefined || from === to || to.layer < from.layer
      return isAllowed ? [] : [`${file} imports ${target}`]
    }),
  )

  expect(climbs).toEqual([])
})

test('imports form no circle, types included', () => {
  const files = new Map(all().map(({ file, imports }) => [file, imports]))
  const done = new Set<string>()
  const circles: string[] = []

  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' > '))
    if (done.has(file) || path.includes(file)) return
    for (const target of files.get(file) ?? []) if (files.has(target)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of files.keys()) visit(file, [])

  expect(circles).toEqual([])
})

test('functions import lib/ but not what starts the service, and the driver for its ids', () => {
  const starts = new Set(['lib/app.ts', 'lib/main.ts', 'lib/deps.ts', 'lib/create-deps.ts', 'lib/base/config.ts'])
  const isAllowed = (target: string) => target === 'mongodb' || (isBelow(target, 'lib') && !starts.has(target))

  expect(foreign(functions, isAllowed)).toEqual([])
})

test('the console imports the client, types and plain data of the contract, and its libraries', () => {
  const pages = lib.filter(({ file }) => isBelow(file, 'lib/console'))
  const libraries = ['preact', '@preact/signals', 'markdown-it', 'diff']
  const isLibrary = (target: string) => libraries.some((library) => isOf(target, library))
  const data = lib.filter(({ file }) => /^lib\/contract\/(proposals\/\w+-fields|limits)\.ts$/.test(file))

  expect(pages.length).toBeGreaterThan(20)
  expect(
    foreign(pages, (target) => isBelow(target, 'lib/console', 'lib/client', 'lib/contract') || isLibrary(target)),
  ).toEqual([])
  expect(data.length).toBeGreaterThan(2)
  expect(foreign(data, (target) => data.some(({ file }) => file === target))).toEqual([])
})

test('no module of the service imports the console', () => {
  const service = [...functions, ...realtime, ...lib].filter(({ file }) => !isBelow(file, 'lib/console'))

  expect(foreign(service, (target) => !isBelow(target, 'lib/console'))).toEqual([])
})

test('Socket.IO is imported by realtime/ alone', () => {
  expect(foreign([...functions, ...lib], (target) => !/^(socket\.io(?!-client)|engine\.io)/.test(target))).toEqual([])
})

test('the client of Socket.IO is imported by lib/client alone, which imports only the contract of the service', () => {
  const client = lib.filter(({ file }) => isBelow(file, 'lib/client'))
  const others = lib.filter(({ file }) => !isBelow(file, 'lib/client'))
  const packages = new Set(['zod', 'socket.io-client', '#functions'])

  expect(foreign(client, (target) => packages.has(target) || isBelow(target, 'lib/client', 'lib/contract'))).toEqual([])
  expect(foreign([...functions, ...realtime, ...others], (target) => target !== 'socket.io-client')).toEqual([])
})

test('the router is imported by lib/web/http and app.ts alone', () => {
  const isRouter = (target: string) => (isOf(target, 'hono') || target.startsWith('@hono/')) && !PARTS.has(target)

  expect(foreign([...domains(), ...functions, ...realtime], (target) => !isRouter(target))).toEqual([])
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
