import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ObjectKey, type Storage, StorageError } from '#lib/infrastructure/storage/storage'
import { openTestBucket } from '../../../support/processes/s3-bucket.ts'
import { newKey, pngOf } from '../../../support/scenes/storage-scene.ts'
import { startService } from '../../../support/service/start-service.ts'

interface Scene {
  storage: Storage
  /** Where this machine reaches an address of the storage. */
  reach(url: string): string
  close(): Promise<void> | void
}

/** Files, read through the service that keeps them. */
async function openFiles(): Promise<Scene> {
  const service = await startService()
  return {
    storage: service.deps.storage,
    reach: (url) => service.baseUrl + new URL(url).pathname,
    close: service.close,
  }
}

async function openS3(): Promise<Scene> {
  const { s3, close } = await openTestBucket()
  const service = await startService({ config: { s3 } })
  return {
    storage: service.deps.storage,
    reach: (url) => url,
    async close() {
      await service.close()
      close()
    },
  }
}

// A database may still hold values that the compiler refuses.
const INVALID_KEYS = [
  '',
  'covers',
  'elsewhere/0123456789abcdef01234567/0123456789abcdef01234567',
  'covers/0123456789abcdef01234567/0123456789ABCDEF01234567',
  'covers/0123456789abcdef01234567/0123456789abcdef01234567/',
  'covers/0123456789abcdef01234567/0123456789abcdef01234567\n',
  'covers/0123456789abcdef01234567/../0123456789abcdef01234567',
  'covers/../0123456789abcdef01234567',
  '/covers/0123456789abcdef01234567/0123456789abcdef01234567',
] as ObjectKey[]

describe.each([
  ['local files', openFiles],
  ['a bucket', openS3],
])('a storage of %s', (_name, open) => {
  let scene: Scene
  let storage: Storage

  beforeAll(async () => {
    scene = await open()
    storage = scene.storage
  })
  afterAll(() => scene.close())

  const read = (key: ObjectKey) => fetch(scene.reach(storage.addressOf(key)))
  async function contentOf(key: ObjectKey): Promise<Buffer> {
    const answer = await read(key)
    expect(answer.status).toBe(200)
    return Buffer.from(await answer.arrayBuffer())
  }

  test('an object is served to everybody, with its type, cacheable for good, and its bytes are read', async () => {
    const key = newKey('screenshots')
    const bytes = pngOf(100_000)

    await storage.put(key, { bytes, type: 'image/png' })

    const answer = await read(key)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Buffer.from((await storage.get(key)) ?? []).equals(bytes)).toBe(true)
    expect(await storage.get(newKey())).toBeUndefined()
  })

  test('objects that are put under one key at once leave one of them whole', async () => {
    const key = newKey()
    const contents = Array.from('abcdefgh', (letter) => pngOf(50_000, letter))

    await Promise.all(contents.map((bytes) => storage.put(key, { bytes, type: 'image/png' })))

    const stored = await contentOf(key)
    expect(contents.some((bytes) => bytes.equals(stored))).toBe(true)
  })

  test('a deletion removes its objects alone, and missing ones are no error', async () => {
    const [a, b] = [newKey(), newKey('characters')]
    const sibling: ObjectKey = `${a.slice(0, -24)}0123456789abcdef01234567` as ObjectKey
    for (const key of [a, b, sibling]) await storage.put(key, { bytes: pngOf(), type: 'image/png' })

    await storage.delete([newKey(), a, a, b])
    await storage.delete([a])
    await storage.delete([])

    expect([(await read(a)).status, (await read(b)).status]).toEqual([404, 404])
    expect((await read(sibling)).status).toBe(200)
  })

  test('an address of this storage has a key, and no other address', () => {
    const key = newKey()
    const url = storage.addressOf(key)
    const { host } = new URL(url)

    expect(url.endsWith(`/${key}`)).toBe(true)
    expect(storage.keyOf(url)).toBe(key)
    expect(storage.addressOf('https://elsewhere.example/1.png')).toBe('https://elsewhere.example/1.png')
    for (const other of [
      `${url}?size=1`,
      `${url}#top`,
      `${url}/`,
      `${url}a`,
      url.slice(0, -1),
      url.replace(key, `../${key}`),
      url.replace(host, 'elsewhere.example'),
      `https://elsewhere.example/${url}`,
      key,
      `/${key}`,
      '',
    ]) {
      expect(storage.keyOf(other), other).toBeUndefined()
    }
  })

  test.each(INVALID_KEYS)('%j is refused as a key', async (key) => {
    await expect(storage.put(key, { bytes: pngOf(), type: 'image/png' })).rejects.toThrow(StorageError)
    await expect(storage.delete([newKey(), key])).rejects.toThrow(StorageError)
  })

  test('an aborted call stores nothing', async () => {
    const key = newKey()
    const signal = AbortSignal.abort()

    await expect(storage.put(key, { bytes: pngOf(), type: 'image/png' }, { signal })).rejects.toThrow(StorageError)

    expect((await read(key)).status).toBe(404)
  })
})
