import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { shellEnvironment } from '../../support/processes/shell-environment.ts'
import { startProgram } from '../../support/processes/start-program.ts'
import { useFolder } from '../../support/service/use-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COPIED = [
  'functions',
  'lib',
  'realtime',
  'test',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]
const CALLER = `import { createClient } from '../lib/client/index.ts'

const hall = createClient({ baseUrl: 'http://localhost:3228' })
const { total } = await hall.call('GET /games/:gameId/comments/count', { params: { gameId: 'a'.repeat(24) } })
export const half: number = total / 2
// @ts-expect-error An endpoint is called with its parameters.
await hall.call('GET /games/:gameId/comments/count', {})
`

const folder = await useFolder()

/** Declares the variables that the examples of the client do not declare. */
const SURROUNDINGS = `declare const [id, gameId, email, password]: [string, string, string, string]
declare const comment: { _id: string; parentId: string | null }
declare function render(state: object): void
declare function waitFor(seconds: number | undefined): void
`

const readBlocks = async (document: string) =>
  Array.from((await readFile(join(ROOT, document), 'utf8')).matchAll(/^```ts\n(.*?)^```/gms), ([, code = '']) => code)

/** Reads the files that the guide adds. The first line of a block is the path. */
async function readAdded(): Promise<Map<string, string>> {
  const blocks = (await readBlocks('wrangler-free.md')).map((code) => /^\/\/ (\S+)\n(.*)/s.exec(code) ?? [])
  return new Map(blocks.flatMap(([, file, code = '']) => (file === undefined || file === 'from' ? [] : [[file, code]])))
}

const run = (...args: string[]) => startProgram(process.execPath, args, { cwd: folder, env: shellEnvironment() }).ended

const readRoutes = () => readFile(join(folder, 'functions/routes.d.ts'), 'utf8')

beforeAll(async () => {
  for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const include = ['functions', 'test/functions/games/[gameId]/comments', 'test/support/global-setup.ts']
  const guide = { extends: './tsconfig.json', include }
  await writeFile(join(folder, 'guide.json'), JSON.stringify(guide))

  for (const [file, code] of await readAdded()) {
    const path = join(folder, file)
    await mkdir(dirname(path), { recursive: true })
    const stored = await readFile(path, 'utf8').catch(() => '')
    await writeFile(path, `${stored}${code}`)
  }
})

it('the check fails while the routes do not name an endpoint, and writes them', async () => {
  const failed = await run('lib/ops/prepare.mjs', 'check')

  expect(failed.printed).toContain('commit it')
  expect(failed.code).toBe(1)
  expect(await readRoutes()).toContain(`'GET /games/:gameId/comments/count': typeof import(`)
})

it('the endpoint of the guide, its schema, its test and the examples of the client compile', async () => {
  await writeFile(join(folder, 'functions/caller.ts'), CALLER)
  for (const [index, document] of ['README.md', 'lib/client/README.md'].entries()) {
    const [example = ''] = await readBlocks(document)
    const code = example.replace('gamehall/client', '../lib/client/index.ts').replace('\n\n', `\n\n${SURROUNDINGS}\n`)
    await writeFile(join(folder, `functions/example-${index}.ts`), code)
  }

  expect((await readAdded()).size).toBe(4)
  // Several checkers would each work out the types of the libraries.
  const checked = await run('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'guide.json', '--checkers', '1')
  expect(checked).toMatchObject({ code: 0, printed: '' })
})

it('code that the guides quote stands in its file', async () => {
  const blocks = [...(await readBlocks('wrangler-free.md')), ...(await readBlocks('CONTRIBUTING.md'))]
  const quotes = blocks.flatMap((code) => {
    const [, file, quoted] = /^\/\/ from (\S+)\n(.*)/s.exec(code) ?? []
    return file === undefined || quoted === undefined ? [] : [{ file, quoted }]
  })
  expect(quotes).toHaveLength(4)

  const withoutIndent = (text: string) => text.replaceAll(/^ +/gm, '')
  for (const { file, quoted } of quotes)
    expect(withoutIndent(await readFile(join(ROOT, file), 'utf8'))).toContain(withoutIndent(quoted))
})

it('the routes no longer name a removed endpoint, so code that calls it does not compile', async () => {
  await rm(join(folder, 'functions/games/[gameId]/comments'), { recursive: true })
  await run('lib/ops/prepare.mjs', 'install')

  expect(await readRoutes()).toBe(await readFile(join(ROOT, 'functions/routes.d.ts'), 'utf8'))
})
