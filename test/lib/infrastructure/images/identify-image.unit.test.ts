import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ImageError } from '#lib/infrastructure/images/images'
import { identifyImage } from '#lib/infrastructure/images/read-size'
import { box, IMAGE_FORMATS, type ImageFormat, makeImage } from '../../../support/rows/images.ts'

const TYPES: Record<ImageFormat, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  'webp-lossy': 'image/webp',
  'webp-extended': 'image/webp',
  avif: 'image/avif',
}

const DAMAGED = new ImageError('its header is damaged')
const NO_IMAGE = new ImageError('it is no JPEG, PNG, GIF, WebP or AVIF')

function pngOf(width: number, height: number): Buffer {
  const bytes = makeImage('png')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

function avifWith(...properties: Buffer[]): Buffer {
  const content = box('iprp', box('ipco', ...properties))
  return Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0avif')), box('meta', Buffer.alloc(4), content)])
}

function sizeBox(width: number, height: number): Buffer {
  const content = Buffer.alloc(12)
  content.writeUInt32BE(width, 4)
  content.writeUInt32BE(height, 8)
  return box('ispe', content)
}

test.each(IMAGE_FORMATS)('%s: the type and the size are read', (format) => {
  for (const size of [
    { width: 1, height: 1 },
    { width: 16, height: 9 },
    { width: 300, height: 200 },
  ]) {
    const bytes = makeImage(format, size)
    expect(identifyImage(bytes)).toEqual({ bytes, type: TYPES[format], ...size })
  }
})

test.each(IMAGE_FORMATS)('%s: a file that is cut off or changed anywhere has a valid size or is refused', (format) => {
  const whole = makeImage(format)
  const changes = fc.array(fc.tuple(fc.nat(199), fc.nat(255)), { maxLength: 6 })
  const property = fc.property(fc.nat(whole.length), changes, (length, changed) => {
    const bytes = Buffer.from(whole.subarray(0, length))
    for (const [at, value] of changed) if (at < length) bytes[at] = value
    try {
      const { width, height } = identifyImage(bytes)
      expect(Math.min(width, height)).toBeGreaterThan(0)
      expect(width * height).toBeLessThanOrEqual(50_000_000)
    } catch (error) {
      expect(error).toBeInstanceOf(ImageError)
    }
  })
  fc.assert(property, { seed: 7, numRuns: 400 })
})

test.each([
  [16_384, 3_051],
  [1, 16_384],
  [8_000, 6_250],
])('%i × %i pixels are accepted', async (width, height) => {
  expect(identifyImage(pngOf(width, height))).toMatchObject({ width, height })
})

test.each([
  [16_385, 1, 'it is too large with 16385 × 1 pixels'],
  [1, 16_385, 'it is too large with 1 × 16385 pixels'],
  [8_000, 6_251, 'it is too large with 8000 × 6251 pixels'],
  [2 ** 32 - 1, 2 ** 32 - 1, 'it is too large with 4294967295 × 4294967295 pixels'],
  [0, 5, 'it has no size'],
  [5, 0, 'it has no size'],
])('%i × %i pixels are refused: %s', (width, height, message) => {
  expect(() => identifyImage(pngOf(width, height))).toThrow(new ImageError(message))
})

/** The boxes of an AVIF under other brands. */
const withBrands = (major: string, ...compatible: string[]) =>
  Buffer.concat([
    box('ftyp', Buffer.from(`${major}\0\0\0\0${compatible.join('')}`, 'latin1')),
    makeImage('avif').subarray(28),
  ])

test.each([
  ['mif1', 'mif1', 'miaf', 'avif'],
  ['miaf', 'avif'],
  ['msf1', 'msf1', 'avis'],
  ['MA1B', 'miaf', 'MA1B', 'avif'],
  ['avio', 'avif'],
  ['avis'],
  ['mif1', ...Array(58).fill('miaf'), 'avif'],
])('a file of the brand %s that lists a brand of AVIF is an AVIF', (major, ...compatible) => {
  expect(identifyImage(withBrands(major, ...compatible))).toMatchObject({ type: 'image/avif', width: 16, height: 9 })
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('this is no picture at all')],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
  ['SVG behind an XML declaration', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an archive', Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1')],
  ['an image behind something else', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), makeImage('jpeg')])],
  ['a HEIC', withBrands('heic', 'mif1', 'heic')],
  ['a HEIF', withBrands('mif1', 'miaf')],
  ['an MP4', withBrands('mp42', 'isom')],
  ['a HEIF with the name of AVIF behind its brands', Buffer.concat([withBrands('mif1', 'miaf'), Buffer.from('avif')])],
  [
    'a HEIF whose version reads like a brand',
    Buffer.concat([box('ftyp', Buffer.from('mif1avifmiaf')), Buffer.alloc(99)]),
  ],
])('%s is refused', (_, bytes) => {
  expect(() => identifyImage(bytes)).toThrow(NO_IMAGE)
})

const insert = (jpeg: Buffer, ahead: Buffer) => Buffer.concat([jpeg.subarray(0, 2), ahead, jpeg.subarray(2)])

const GIF_HEADER_BYTES = 13 + 128 * 3
const GIF_COMMENT = Buffer.from('\x21\xfe\x02hi\x01,\x00', 'latin1')

/** A frame without pixels, with a table of four colours of its own. */
function gifFrame(left: number, top: number, width: number, height: number): Buffer {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, ...Array(12).fill(0x2c), 2, 1, 0x2c, 0])
  for (const [index, value] of [left, top, width, height].entries()) frame.writeUInt16LE(value, 1 + 2 * index)
  return frame
}

/** A GIF of 16 × 9 pixels with these parts behind its own frame. */
function gifWith(...parts: Buffer[]): Buffer {
  const gif = makeImage('gif')
  return Buffer.concat([gif.subarray(0, -1), ...parts, gif.subarray(-1)])
}

test.each([
  ['within its screen', gifWith(GIF_COMMENT, gifFrame(6, 4, 10, 5)), { width: 16, height: 9 }],
  ['wider than it', gifWith(gifFrame(0, 0, 300, 9)), { width: 300, height: 9 }],
  [
    'behind others and below it',
    gifWith(gifFrame(0, 0, 1, 1), GIF_COMMENT, gifFrame(3, 40, 1, 2)),
    { width: 16, height: 42 },
  ],
  ['behind its end', Buffer.concat([makeImage('gif'), gifFrame(0, 0, 300, 300)]), { width: 16, height: 9 }],
  ['behind something unknown', gifWith(Buffer.from([7]), gifFrame(0, 0, 300, 300)), { width: 16, height: 9 }],
  ['that never ends', gifWith(gifFrame(0, 0, 20, 20).subarray(0, -2), Buffer.from([200])), { width: 20, height: 20 }],
])('a GIF reaches as far as a frame %s', async (_, bytes, size) => {
  expect(identifyImage(bytes)).toMatchObject(size)
})

test('a GIF is too large where one of its frames is, whatever its screen', async () => {
  expect(() => identifyImage(gifWith(gifFrame(60_000, 0, 5_000, 1)))).toThrow('65000 × 9 pixels')

  const first = makeImage('gif')
  first.writeUInt16LE(65_535, GIF_HEADER_BYTES + 5)
  first.writeUInt16LE(65_535, GIF_HEADER_BYTES + 7)
  expect(() => identifyImage(first)).toThrow('65535 × 65535 pixels')
})

test.each([
  ['bytes between its segments', 'ffe000040102deadbeef00'],
  ['a zero that hides a marker between them', 'ffe000040102ff00ffe00002'],
  ['a segment of no length', 'ffe00000'],
  ['a segment shorter than its length', 'ffec0001'],
  ['an empty segment', 'ffe00002'],
])('a JPEG with %s is as large as it says', (_, ahead) => {
  expect(identifyImage(insert(makeImage('jpeg'), Buffer.from(ahead, 'hex')))).toMatchObject({ width: 16, height: 9 })
})

test('an AVIF is as large as the largest image in it', async () => {
  const bytes = avifWith(sizeBox(64, 64), sizeBox(640, 480), sizeBox(640, 480), box('pixi', Buffer.alloc(6)))

  expect(identifyImage(bytes)).toMatchObject({ width: 640, height: 480 })
  expect(() => identifyImage(avifWith(sizeBox(10, 10), sizeBox(99_999, 1)))).toThrow('99999 × 10 pixels')
})

const LARGEST = 15 * 1024 * 1024

test.each([
  ['a JPEG whose image begins before its size', insert(makeImage('jpeg'), Buffer.from('ffda0002', 'hex'))],
  ['an AVIF with no property', avifWith()],
  ['an AVIF with a size that is cut off', avifWith(box('ispe', Buffer.alloc(8)))],
  ['an AVIF with a box smaller than its own head', avifWith(Buffer.from('\0\0\0\x07free', 'latin1'), sizeBox(1, 1))],
  [
    'an AVIF with a box that ends behind the file',
    avifWith(Buffer.from('\x7f\xff\xff\xfffree', 'latin1'), sizeBox(1, 1)),
  ],
  [
    'an AVIF with a box of immense size',
    avifWith(Buffer.from('\0\0\0\x01free\xff\xff\xff\xff\xff\xff\xff\xff', 'latin1')),
  ],
  ['a JPEG of nothing but filling', Buffer.concat([makeImage('jpeg').subarray(0, 2), Buffer.alloc(LARGEST, 0xff)])],
  [
    'a JPEG of empty segments',
    Buffer.concat([makeImage('jpeg').subarray(0, 2), Buffer.alloc(LARGEST, 'ffe00002', 'hex')]),
  ],
  ['a GIF of empty frames', gifWith(Buffer.alloc(LARGEST, gifFrame(0, 0, 1, 1)))],
  ['a GIF of the smallest pieces', gifWith(gifFrame(0, 0, 1, 1).subarray(0, -1), Buffer.alloc(LARGEST, 1))],
  ['an AVIF of empty boxes', avifWith(Buffer.alloc(LARGEST, '0000000866726565', 'hex'))],
])('%s is refused as damaged', (_, bytes) => {
  expect(() => identifyImage(bytes)).toThrow(DAMAGED)
})

test.each([
  ['JPEG', (parts: number) => insert(makeImage('jpeg'), Buffer.alloc(parts * 4, 'ffe00002', 'hex'))],
  ['JPEG with filling', (parts: number) => insert(makeImage('jpeg'), Buffer.alloc(parts, 0xff))],
  ['AVIF', (parts: number) => avifWith(Buffer.alloc(parts * 8, '0000000866726565', 'hex'), sizeBox(16, 9))],
])('a %s may have many parts ahead of its size, but not any number', async (_, withParts) => {
  expect(identifyImage(withParts(5_000))).toMatchObject({ width: 16, height: 9 })
  expect(() => identifyImage(withParts(20_000))).toThrow(DAMAGED)
})
