import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { loadFunctions, parseRoute } from '#lib/web/http/load-functions'
import { useFolder } from '../../../support/service/use-folder.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../../../dist/test/fixtures/${name}/`, import.meta.url))

let folder: string

beforeEach(async () => {
  folder = await useFolder()
})

test('every file of the folder becomes a route, fixed segments before parameters', async () => {
  const functions = await loadFunctions(fixture('http'))

  expect(functions.map(({ method, path, file }) => `${method} ${path} ${file}`)).toEqual([
    'POST /faults faults.post.js',
    'GET /keyed keyed.get.js',
    'POST /keyed keyed.post.js',
    'GET /page page.get.js',
    'POST /things things.post.js',
    'GET /things/fixed things/fixed.get.js',
    'GET /things/:id things/[id].get.js',
    'PUT /things/:id things/[id].put.js',
    'POST /touch touch.post.js',
    'GET /whoami whoami.get.js',
  ])
})

test('the start is refused on a file that is not named like a function', async () => {
  await mkdir(join(folder, 'comments'))
  await writeFile(join(folder, 'comments/shared.js'), 'export default 1')

  await expect(loadFunctions(folder)).rejects.toThrow('functions/comments/shared.js is not named <path>.<method>.ts')
})

test.each([
  ['nothing', 'export const handle = 1'],
  ['an object that only looks like a definition', "export default { auth: 'public', errors: [], handle() {} }"],
])('the start is refused on a file that default-exports %s', async (_, source) => {
  await writeFile(join(folder, 'thing.get.js'), source)

  await expect(loadFunctions(folder)).rejects.toThrow(
    'functions/thing.get.js does not default-export a function definition',
  )
})

test.each([
  ['[id].get.js', '[key].get.js'],
  ['[id].get.js', '[key].delete.js'],
])('the start is refused on two files of one path: %s and %s', async (...files) => {
  const page = pathToFileURL(join(fixture('http'), 'page.get.js'))
  for (const file of files) await writeFile(join(folder, file), `export { default } from '${page}'`)

  await expect(loadFunctions(folder)).rejects.toThrow(
    `functions/${files[0]} and functions/${files[1]} name the parameters of one path differently`,
  )
})

test('declarations that a build leaves beside the code are not functions', async () => {
  await writeFile(join(folder, 'thing.get.d.ts'), 'export {}')

  await expect(loadFunctions(folder)).resolves.toEqual([])
})

test.each([
  'README.md',
  'comments.ts',
  'comments.head.ts',
  'Comments.get.ts',
  'comments/[].get.ts',
  'comments/../users.get.ts',
  'comments/[id]/[id].get.ts',
])('%s is not the name of a function', (file) => {
  expect(parseRoute(file)).toBeNull()
})
