import { detectImageType } from '../storage/image-type.ts'
import { type Image, ImageError } from './images.ts'

interface Box {
  type: string
  start: number
  end: number
}

const TO_ITS_PARENTS_END = 0
const HAS_LONG_SIZE = 1
/** Bounds the time of a crafted file. Real images have fewer boxes. */
const MAX_BOXES = 10_000
/** Version and flags, ahead of the content of `meta` and `ispe`. */
const FULL_BOX_BYTES = 4

/** Lists the boxes of a part of the file, up to the first damaged one. @throws RangeError for too many boxes */
function* boxesIn(bytes: Buffer, { start, end }: Pick<Box, 'start' | 'end'>): Generator<Box> {
  let at = start
  for (let boxes = 0; at + 8 <= end; boxes += 1) {
    if (boxes === MAX_BOXES) throw new RangeError('too many boxes')
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const head = size === HAS_LONG_SIZE ? 16 : 8
    const length = size === HAS_LONG_SIZE ? Number(bytes.readBigUInt64BE(at + 8)) : size
    const boxEnd = size === TO_ITS_PARENTS_END ? end : at + length
    if (boxEnd < at + head || boxEnd > end) return
    yield { type, start: at + head, end: boxEnd }
    at = boxEnd
  }
}

function findBox(bytes: Buffer, within: Pick<Box, 'start' | 'end'> | undefined, type: string): Box | undefined {
  if (within === undefined) return undefined
  for (const box of boxesIn(bytes, within)) if (box.type === type) return box
  return undefined
}

/** Reads the largest image inside, because an AVIF also holds tiles, transparency and preview. */
function readAvifSize(bytes: Buffer): Size | undefined {
  const meta = findBox(bytes, { start: 0, end: bytes.length }, 'meta')
  const properties = findBox(bytes, meta && { start: meta.start + FULL_BOX_BYTES, end: meta.end }, 'iprp')
  const container = findBox(bytes, properties, 'ipco')
  if (container === undefined) return undefined

  let size: Size | undefined
  for (const { type, start, end } of boxesIn(bytes, container)) {
    if (type !== 'ispe' || end < start + FULL_BOX_BYTES + 8) continue
    const width = bytes.readUInt32BE(start + FULL_BOX_BYTES)
    const height = bytes.readUInt32BE(start + FULL_BOX_BYTES + 4)
    size = { width: Math.max(width, size?.width ?? 0), height: Math.max(height, size?.height ?? 0) }
  }
  return size
}

type Size = Pick<Image, 'width' | 'height'>

const textAt = (bytes: Buffer, start: number, length: number) => bytes.toString('latin1', start, start + length)

function readPngSize(bytes: Buffer): Size | undefined {
  if (textAt(bytes, 12, 4) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const GIF_EXTENSION = 0x21
const GIF_FRAME = 0x2c
/** Bounds the time of a crafted file. The largest file has a third of that, because data come in pieces of 255 bytes. */
const MAX_GIF_PARTS = 200_000

const colorTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Reads the larger one of the screen and the extent of its frames, because a viewer makes room for both. */
function readGifSize(bytes: Buffer): Size | undefined {
  let [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  let at = 13 + colorTableBytes(bytes.readUInt8(10))
  let isInData = false
  for (let parts = 0; at < bytes.length; parts += 1) {
    if (parts === MAX_GIF_PARTS) return undefined
    const mark = bytes.readUInt8(at)
    if (isInData) {
      isInData = mark > 0
      at += 1 + mark
    } else if (mark === GIF_EXTENSION) {
      isInData = true
      at += 2
    } else if (mark === GIF_FRAME) {
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5))
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7))
      isInData = true
      at += 11 + colorTableBytes(bytes.readUInt8(at + 9))
    } else break
  }
  return { width, height }
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const FILL = 0xff
/** Escapes a byte of data that looks like the beginning of a marker. */
const STUFFED = 0x00
/** A segment has at least its length field. */
const LENGTH_BYTES = 2
/** Bounds the time of a crafted file. Real images have fewer markers. */
const MAX_MARKERS = 10_000

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

function readJpegSize(bytes: Buffer): Size | undefined {
  // Decoders skip bytes between two segments.
  let at = bytes.indexOf(FILL, 2)
  for (let markers = 0; markers < MAX_MARKERS && at >= 0; markers += 1) {
    const marker = bytes.readUInt8(at + 1)
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return undefined
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    if (marker === FILL) at += 1
    else if (marker === STUFFED || isAlone(marker)) at += 2
    else at += 2 + Math.max(LENGTH_BYTES, bytes.readUInt16BE(at + 2))
    at = bytes.indexOf(FILL, at)
  }
  return undefined
}

const VP8_START = 0x9d012a
const VP8L_SIGNATURE = 0x2f
const FOURTEEN_BITS = 0x3fff

function readWebpSize(bytes: Buffer): Size | undefined {
  if (textAt(bytes, 0, 4) !== 'RIFF') return undefined

  switch (textAt(bytes, 12, 4)) {
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== VP8_START) return undefined
      return { width: bytes.readUInt16LE(26) & FOURTEEN_BITS, height: bytes.readUInt16LE(28) & FOURTEEN_BITS }
    case 'VP8L': {
      if (bytes.readUInt8(20) !== VP8L_SIGNATURE) return undefined
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & FOURTEEN_BITS) + 1, height: ((bits >>> 14) & FOURTEEN_BITS) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

const READERS: Record<Image['type'], (bytes: Buffer) => Size | undefined> = {
  'image/jpeg': readJpegSize,
  'image/png': readPngSize,
  'image/gif': readGifSize,
  'image/webp': readWebpSize,
  'image/avif': readAvifSize,
}

/** Reads width and height from the header; undefined for a truncated or unknown header. */
function readSize(type: Image['type'], bytes: Buffer): Size | undefined {
  try {
    return READERS[type](bytes)
  } catch (error) {
    // The header points beyond the end of the bytes, or is endless.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const MAX_SIDE = 16_384
const MAX_PIXELS = 50_000_000

/** Identifies an image by its header alone. @throws ImageError when the bytes are no image, or one that is too large */
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
