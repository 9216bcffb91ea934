import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig, SETTINGS } from '../../lib/config.ts'

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
