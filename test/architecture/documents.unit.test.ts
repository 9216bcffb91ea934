import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seedId, toRowName } from '#lib/ops/seed/seed-rows'
import { GAMES } from '#lib/ops/seed/seed-tables'

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = ['functions', 'realtime', 'lib', 'test']
const CODE = /\.(tsx?|mjs|css|conf)$|^(package\.json|compose\.yaml|Dockerfile|\.env\.example)$/

const list = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)
const paths = [...readdirSync(ROOT), ...FOLDERS, ...FOLDERS.flatMap(list)]
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const documents = paths.filter((path) => path.endsWith('.md'))
const words = new Set(paths.filter((path) => CODE.test(path)).flatMap((path) => read(path).match(/[\w$]+/g) ?? []))

/** Lists the texts in backticks, blocks of code aside. */
const listQuoted = (file: string) =>
  Array.from(
    read(file)
      .replaceAll(/```.*?```/gs, '')
      .matchAll(/`([^`\n]+)`/g),
    ([, quoted = '']) => quoted,
  )

const isPath = (quoted: string) =>
  /^[\w.@*<>[\]{},-][\w.@*<>[\]{},/-]*$/.test(quoted) &&
  !quoted.startsWith('dist/') &&
  (/\.(tsx?|mjs|json|md|css|yaml|conf)$/.test(quoted) || FOLDERS.some((folder) => quoted.startsWith(`${folder}/`)))
const isName = (quoted: string) => /^([a-z]+[A-Z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z][a-z]+[A-Z]\w*)$/.test(quoted)

/** `{a,b}` stands for each of them, `*` and `<name>` for a part of a name, `**` for any. */
function isThere(path: string): boolean {
  const [, before = '', choices, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
  if (choices !== undefined) return choices.split(',').every((choice) => isThere(`${before}${choice}${after}`))
  const pattern = RegExp(
    `(^|/)${path
      .replace(/\/$/, '')
      .replaceAll(/[.[\]]/g, '\\$&')
      .replaceAll(/\*\*|\*|<\w+>/g, (part) => (part === '**' ? '.*' : '[^/]*'))}$`,
  )
  return paths.some((each) => pattern.test(each))
}

test('the scan finds paths and names in several documents', () => {
  const quoted = documents.flatMap(listQuoted)

  expect(documents.length).toBeGreaterThan(10)
  expect(quoted.filter(isPath).length).toBeGreaterThan(50)
  expect(quoted.filter(isName).length).toBeGreaterThan(50)
  expect(isThere('lib/gone.ts')).toBe(false)
})

test.each(documents)('%s names paths that exist, and names that the code has', (file) => {
  const quoted = listQuoted(file)
  const stale = [
    ...quoted.filter((each) => isPath(each) && !isThere(each)),
    ...quoted.filter((each) => isName(each) && !words.has(each)),
  ]

  expect(stale).toEqual([])
})

test.each(['README.md', 'lib/ops/production.md'])(
  'the games of the examples in %s are those of the first data',
  (file) => {
    const gameIds = Array.from(read(file).matchAll(/gameId\W+([0-9a-f]{24})/g), ([, id]) => id)
    const seeded = new Set(GAMES.rows.map((row) => seedId(toRowName(row)).toHexString()))

    expect(gameIds).not.toEqual([])
    expect(gameIds.filter((id) => id === undefined || !seeded.has(id))).toEqual([])
  },
)
