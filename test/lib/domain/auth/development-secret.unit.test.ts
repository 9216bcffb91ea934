import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { StartError } from '#lib/base/errors'
import { resolveJwtSecret } from '#lib/domain/auth/development-secret'
import { useFolder } from '../../../support/service/use-folder.ts'

let folder: string
let dataDir: string

beforeEach(async () => {
  folder = await useFolder()
  dataDir = join(folder, 'not', 'there', 'yet')
})

const resolve = () => resolveJwtSecret({ jwtSecret: undefined, dataDir })
const path = () => join(dataDir, 'jwt-secret')
const modeOf = async (place = path()) => ((await stat(place)).mode & 0o777).toString(8)

it('the secret is JWT_SECRET when that is set, and nothing is stored', async () => {
  expect(await resolveJwtSecret({ jwtSecret: 'given', dataDir })).toBe('given')
  expect(await readdir(folder)).toEqual([])
})

it('the secret is created once, in a file that only the owner can read, and never changes', async () => {
  const secret = await resolve()

  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(await modeOf()).toBe('600')
  expect(await modeOf(dataDir)).toBe('700')
  expect(await resolve()).toBe(secret)
  expect(await readdir(dataDir)).toEqual(['jwt-secret'])
})

it('20 starts at once share one secret', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, resolve))

  expect(new Set(secrets).size).toBe(1)
  expect((await readFile(path(), 'utf8')).trim()).toBe(secrets[0])
  expect(await readdir(dataDir)).toEqual(['jwt-secret'])
})

it('a secret that others can read is closed to them again', async () => {
  const secret = await resolve()
  await chmod(path(), 0o644)

  expect(await resolve()).toBe(secret)
  expect(await modeOf()).toBe('600')
})

it('a stored secret that is too short stops the start', async () => {
  await resolve()
  await writeFile(path(), 'short\n')
  await expect(resolve()).rejects.toThrow(StartError)
  await expect(resolve()).rejects.toThrow(path())
})
