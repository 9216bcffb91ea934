import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { VERSION } from '#lib/base/version'

test('the version is that of package.json and its lockfile', async () => {
  const read = async (name: string) => JSON.parse(await readFile(new URL(`../../../${name}`, import.meta.url), 'utf8'))
  const lock = await read('package-lock.json')

  expect([VERSION, lock.version, lock.packages[''].version]).toEqual(
    Array(3).fill((await read('package.json')).version),
  )
})
