import { ImageError } from './image-error.ts'
import type { Image } from './images.ts'
import { readSize } from './read-size.ts'

/** The accepted formats by the names that file-type gives them. */
const TYPES: ReadonlyMap<string, Image['type']> = new Map([
  ['image/jpeg', 'image/jpeg'],
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
  ['image/avif', 'image/avif'],
])

/** Enough for every accepted format, and little for a hostile archive to unfold. */
const SAMPLE_BYTES = 4_100
const MAX_SIDE = 16_384
const MAX_PIXELS = 50_000_000

async function sniffType(bytes: Buffer): Promise<Image['type'] | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES)).catch(() => undefined)
  return found && TYPES.get(found.mime)
}

/**
 * Tells what image some bytes are, from their header alone.
 * @throws ImageError when they are none, or one that is too large
 */
export async function identifyImage(bytes: Buffer): Promise<Image> {
  const type = await sniffType(bytes)
  if (type === undefined) throw new ImageError('it is no JPEG, PNG, GIF, WebP or AVIF')

  const size = readSize(type, bytes)
  if (size === undefined) throw new ImageError('its header is damaged')

  const { width, height } = size
  if (Math.min(width, height) < 1) throw new ImageError('it has no size')
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS)
    throw new ImageError(`it is too large with ${width} × ${height} pixels`)
  return { bytes, type, width, height }
}
