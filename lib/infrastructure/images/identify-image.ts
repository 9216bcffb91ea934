import { detectImageType } from '../storage/image-type.ts'
import { ImageError } from './image-error.ts'
import type { Image } from './images.ts'
import { readSize } from './read-size.ts'

const MAX_SIDE = 16_384
const MAX_PIXELS = 50_000_000

/**
 * Identifies an image by its header alone.
 * @throws ImageError when the bytes are no image, or one that is too large
 */
export function identifyImage(bytes: Buffer): Image {
  const type = detectImageType(bytes)
  if (type === undefined) throw new ImageError('it is no JPEG, PNG, GIF, WebP or AVIF')

  const size = readSize(type, bytes)
  if (size === undefined) throw new ImageError('its header is damaged')

  const { width, height } = size
  if (Math.min(width, height) < 1) throw new ImageError('it has no size')
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS)
    throw new ImageError(`it is too large with ${width} × ${height} pixels`)
  return { bytes, type, width, height }
}
