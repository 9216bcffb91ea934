import { linkAbort } from '../concurrency/link-abort.ts'
import { ImageError } from './image-error.ts'
import type { Images } from './images.ts'

type Copier = Pick<Images, 'copy'>

/**
 * Copies like the given images, with so much time for all downloads together from the first one on: what has not arrived
 * by then is an ImageError. What has arrived is stored, however long that takes.
 */
export function createImagesInTime(images: Copier, ms: number): Copier {
  let endsAt: number | undefined
  const late = () => new ImageError('it did not arrive in time')

  return {
    async copy({ signal, note, ...wanted }) {
      endsAt ??= performance.now() + ms
      const leftMs = endsAt - performance.now()
      signal?.throwIfAborted()
      if (leftMs <= 0) throw late()

      const ending = new AbortController()
      const unlink = linkAbort(ending, signal)
      const timer = setTimeout(() => ending.abort(late()), leftMs)
      const noteArrived: typeof note = async (key) => {
        clearTimeout(timer)
        await note?.(key)
      }
      try {
        return await images.copy({ ...wanted, note: noteArrived, signal: ending.signal })
      } finally {
        clearTimeout(timer)
        unlink()
      }
    },
  }
}
