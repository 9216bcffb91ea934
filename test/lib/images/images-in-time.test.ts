import { ObjectId } from 'mongodb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ImageError } from '../../../lib/images/image-error.ts'
import type { Images } from '../../../lib/images/images.ts'
import { createImagesInTime } from '../../../lib/images/images-in-time.ts'

const MS = 1_000
const LATE = new ImageError('it did not arrive in time')

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Copies whose downloads and puts end when they are told to, or with their signal. */
function createScene() {
  const begun: string[] = []
  const steps = new EventTarget()
  const step = (name: string, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) reject(signal.reason)
      signal?.addEventListener('abort', () => reject(signal.reason))
      steps.addEventListener(name, () => resolve())
    })
  const copy: Images['copy'] = async ({ link, folder, entityId, signal, note }) => {
    begun.push(link)
    const key = `${folder}/${entityId.toHexString()}/${link}` as const
    await step(`${link} arrives`, signal)
    await note?.(key)
    await step(`${link} is stored`, signal)
    return { key, url: link }
  }
  const images = createImagesInTime({ copy }, MS)
  const entityId = new ObjectId()

  return {
    begun,
    copy: (link: string, options: { signal?: AbortSignal; note?: () => Promise<void> } = {}) => {
      const copied = images.copy({ link, folder: 'covers', entityId, ...options })
      copied.catch(() => undefined)
      return copied
    },
    async let(happened: string) {
      steps.dispatchEvent(new Event(happened))
      // Lets the waiting downloads go on.
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

describe('downloads that share their time', () => {
  it('are late together, from the first one on; then none is begun', async () => {
    const { begun, copy } = createScene()
    await vi.advanceTimersByTimeAsync(10 * MS)
    const first = copy('first')
    await vi.advanceTimersByTimeAsync(MS - 1)
    const second = copy('second')
    await vi.advanceTimersByTimeAsync(1)

    await expect(first).rejects.toEqual(LATE)
    await expect(second).rejects.toEqual(LATE)
    await expect(copy('third')).rejects.toEqual(LATE)
    expect(begun).toEqual(['first', 'second'])
  })

  it('are stored once they have arrived, however late that ends', async () => {
    const scene = createScene()
    const note = vi.fn(async () => undefined)
    const copied = scene.copy('cover', { note })
    await scene.let('cover arrives')
    await vi.advanceTimersByTimeAsync(2 * MS)
    await scene.let('cover is stored')

    expect(await copied).toMatchObject({ url: 'cover' })
    expect(note).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['arrives', 'is stored'])(
    'end with the signal of their caller before one %s, and are not late',
    async (what) => {
      const scene = createScene()
      const stopping = new AbortController()
      const copied = scene.copy('cover', { signal: stopping.signal })
      if (what === 'is stored') await scene.let('cover arrives')
      const reason = new Error('the service is stopping')
      stopping.abort(reason)

      await expect(copied).rejects.toBe(reason)
      await vi.advanceTimersByTimeAsync(2 * MS)
      await expect(scene.copy('another', { signal: stopping.signal })).rejects.toBe(reason)
      expect(scene.begun).toEqual(['cover'])
      expect(vi.getTimerCount()).toBe(0)
    },
  )
})
