import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../lib/base/config.ts'
import { SETTINGS } from '../../lib/base/settings.ts'

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

/** Settings that the container's image, its volume and its database fix. */
const FIXED_IN_CONTAINER = [
  'NODE_ENV',
  'PORT',
  'HOST',
  'DATA_DIR',
  'MONGOD_BINARY',
  'XDG_CACHE_HOME',
  'S3_REGION',
  'S3_FORCE_PATH_STYLE',
]

test('compose.yaml hands every setting to the service', () => {
  const Compose = z.object({
    services: z.object({ gamehall: z.object({ environment: z.record(z.string(), z.string()) }) }),
  })
  const { environment } = Compose.parse(parse(read('compose.yaml'), { merge: true })).services.gamehall

  expect(SETTINGS.filter((name) => !(name in environment)).toSorted()).toEqual(FIXED_IN_CONTAINER.toSorted())
})

test("the database's table names every collection, each once", () => {
  const folder = 'lib/infrastructure/db/collections'
  const collections = readdirSync(join(ROOT, folder)).flatMap(
    (file) => /^(?: {2}|export const .+ )name: '(\w+)'/m.exec(read(join(folder, file)))?.[1] ?? [],
  )
  const documented = read('lib/infrastructure/db/README.md').matchAll(/^\| `(\w+)` \|/gm)

  expect(collections.length).toBeGreaterThan(10)
  expect(Array.from(documented, ([, name = '']) => name).toSorted()).toEqual(collections.toSorted())
})
