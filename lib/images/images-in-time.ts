import type { Images } from './images.ts'

/** Copies like the given images, with so much time for all downloads together from the first one on. */
export function createImagesInTime(images: Pick<Images, 'copy'>, ms: number): Pick<Images, 'copy'> {
  let late: AbortSignal | undefined
  return {
    copy(image) {
      late ??= AbortSignal.timeout(ms)
      return images.copy({ ...image, late })
    },
  }
}
