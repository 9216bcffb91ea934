import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../../lib/config.ts'
import { SETTINGS } from '../../lib/settings.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The names in the first column of the README's table of variables. */
const listDocumented = () =>
  read('README.md')
    .split('\n')
    .flatMap((line) => /^\| ((?:`[A-Z0-9_]+`(?:, )?)+)/.exec(line)?.[1]?.match(/[A-Z0-9_]+/g) ?? [])

test("the README's table names every setting, each once", () => {
  expect(listDocumented().toSorted()).toEqual(SETTINGS.toSorted())
})

test('.env.example names every setting, with the defaults', () => {
  const example = parseEnv(read('.env.example'))

  expect(Object.keys(example).toSorted()).toEqual(SETTINGS.toSorted())
  expect(readConfig(example)).toEqual(readConfig({}))
})

test("the database's table names every collection, each once", () => {
  const folder = 'lib/db/collections'
  const collections = readdirSync(join(ROOT, folder)).flatMap(
    (file) => /^(?: {2}|export const .+ )name: '(\w+)'/m.exec(read(join(folder, file)))?.[1] ?? [],
  )
  const documented = read('lib/db/README.md').matchAll(/^\| `(\w+)` \|/gm)

  expect(collections.length).toBeGreaterThan(10)
  expect(Array.from(documented, ([, name = '']) => name).toSorted()).toEqual(collections.toSorted())
})
