import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { takeDataDirLock } from '../../../lib/embedded-mongo/data-dir-lock.ts'
import { findStartToken } from '../../../lib/embedded-mongo/process-identity.ts'
import { cleanUp, makeFolder } from './embedded-process.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await makeFolder()
})
afterEach(cleanUp)

const writeLock = async (number: number, text: string) => {
  await mkdir(join(dataDir, 'lock'), { recursive: true })
  await writeFile(join(dataDir, 'lock', String(number)), text)
}

it('names the living holder until it lets go', async () => {
  const { release } = await takeDataDirLock(dataDir, 'command')
  const startToken = await findStartToken(process.pid)
  expect(await takeDataDirLock(dataDir, 'service')).toEqual({
    holder: { pid: process.pid, startToken, role: 'command' },
  })
  await release?.()
  expect(await takeDataDirLock(dataDir, 'service')).toMatchObject({ release: expect.any(Function) })
})

it('gives a stale lock to exactly one of many that find it at once', async () => {
  for (let round = 1; round <= 20; round++) {
    await writeLock(round * 10, JSON.stringify({ pid: 2 ** 22 + 1, startToken: 'dead', role: 'service' }))
    const attempts = await Promise.all(Array.from({ length: 8 }, () => takeDataDirLock(dataDir, 'service')))

    const winners = attempts.flatMap(({ release }) => release ?? [])
    expect(winners).toHaveLength(1)
    for (const release of winners) await release()
  }
})

it.each(['', '{"pid":', '{"pid":-1,"startToken":"x","role":"service"}', 'null'])(
  'is not hindered by a lock that says %j',
  async (text) => {
    await writeLock(7, text)
    expect(await takeDataDirLock(dataDir, 'service')).toMatchObject({ release: expect.any(Function) })
    expect(await readdir(join(dataDir, 'lock'))).toEqual(['8'])
  },
)

it('lets go without complaint of a file that was removed, and does not make it again', async () => {
  const { release } = await takeDataDirLock(dataDir, 'service')
  await rm(join(dataDir, 'lock', '1'))
  await expect(release?.()).resolves.toBeUndefined()
  expect(await readdir(join(dataDir, 'lock'))).toEqual([])
})
