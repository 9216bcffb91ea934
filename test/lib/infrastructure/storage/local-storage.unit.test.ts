import { execFile } from 'node:child_process'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { createLocalStorage } from '#lib/infrastructure/storage/local-storage'
import { StorageError } from '#lib/infrastructure/storage/storage'
import { newKey, pngOf } from '../../../support/scenes/storage-scene.ts'
import { useFolder } from '../../../support/service/use-folder.ts'

const PUBLIC = 'https://live.example.com/hall'
const PNG = { bytes: pngOf(20), type: 'image/png' }
const HOURS_AGO = new Date(Date.now() - 2 * 60 * 60 * 1_000)

let dataDir: string
const at = (...path: string[]) => join(dataDir, 'files', ...path)
const open = () => createLocalStorage({ dataDir, publicUrl: PUBLIC })

beforeEach(async () => {
  dataDir = await useFolder()
})

const filesBelow = async () =>
  (await readdir(at(), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length

test('objects lie in a private folder', async () => {
  await open().put(newKey(), PNG)

  expect((await stat(at())).mode & 0o777).toBe(0o700)
})

async function leave(name: string, changedAt = new Date()) {
  await mkdir(at('.drafts'), { recursive: true })
  await writeFile(at('.drafts', name), 'half of it')
  await utimes(at('.drafts', name), changedAt, changedAt)
}

test('a half-written file stays for an hour, because another service may be writing it', async () => {
  await leave('a')
  await leave('b', HOURS_AGO)

  await open().put(newKey(), PNG)

  expect(await readdir(at('.drafts'))).toEqual(['a'])
})

describe('a refusal of the file system is explained in a sentence', () => {
  test('a file in place of the folder', async () => {
    await writeFile(at(), 'a file')

    await expect(open().put(newKey(), PNG)).rejects.toThrow(
      new StorageError('The image could not be stored: the file system failed (ENOTDIR)'),
    )
    await expect(open().delete([newKey()])).rejects.toThrow(StorageError)
  })

  test('a full disk', async () => {
    const script = `
      const { createLocalStorage } = await import('./dist/lib/infrastructure/storage/local-storage.js')
      const storage = createLocalStorage({ dataDir: '${dataDir}', publicUrl: '${PUBLIC}' })
      const store = (key, length) => storage.put(key, { bytes: Buffer.alloc(length), type: 'image/png' })
      await store('${newKey()}', 5e5)
      console.log(await store('${newKey()}', 5e6).catch((error) => error.name + ': ' + error.message))
    `
    // A limit on the size of files stands in for the end of the disk, which nothing here can reach.
    const limited = `trap '' XFSZ; ulimit -f 2000; exec "$0" --input-type=module --eval "$1"`
    const { stdout } = await promisify(execFile)('bash', ['-c', limited, process.execPath, script])

    expect(stdout).toBe('StorageError: The image could not be stored: the file system failed (EFBIG)\n')
    expect(await filesBelow()).toBe(1)
  })
})

test('an aborted write leaves nothing', async () => {
  const giveUp = new AbortController()
  const storing = open().put(newKey(), { bytes: pngOf(30_000_000), type: 'image/png' }, { signal: giveUp.signal })
  while ((await readdir(at('.drafts')).catch(() => [])).length === 0) await new Promise(setImmediate)
  giveUp.abort()

  await expect(storing).rejects.toThrow(new StorageError('The image was not stored: the request was given up'))
  expect(await filesBelow()).toBe(0)
})
