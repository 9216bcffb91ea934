import { crc32, deflateSync } from 'node:zlib'

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'webp-lossy' | 'webp-extended' | 'avif'

interface Size {
  width: number
  height: number
}

const u8 = (...values: number[]) => Buffer.from(values)
const text = (value: string) => Buffer.from(value, 'latin1')

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const littleEndian = (bytes: Buffer) => Buffer.from(bytes).reverse()

/** Fields of so many bits each, from the highest bit of each byte on, or from the lowest. */
function packBits(fields: readonly (readonly [value: number, bits: number])[], from: 'highest' | 'lowest'): Buffer {
  const bits = fields.flatMap(([value, count]) => {
    const rising = Array.from({ length: count }, (_, index) => (value >>> index) & 1)
    return from === 'highest' ? rising.reverse() : rising
  })
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  for (const [index, bit] of bits.entries()) {
    const at = index >> 3
    bytes[at] = (bytes[at] ?? 0) | (bit << (from === 'highest' ? 7 - (index & 7) : index & 7))
  }
  return bytes
}

/** A single grey value; every block repeats the block before. */
function makeJpeg({ width, height }: Size): Buffer {
  const segment = (marker: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts)
    return Buffer.concat([u8(0xff, marker), u16(content.length + 2), content])
  }
  /** A single code of one bit, for the symbol 0. */
  const codes = (kind: number) => segment(0xc4, u8(kind, 1), Buffer.alloc(15), u8(0))
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const scan = packBits(
    [...Array.from({ length: blocks }, () => [0, 2] as const), [0x7f, -(2 * blocks) & 7]],
    'highest',
  )

  return Buffer.concat([
    u8(0xff, 0xd8),
    segment(0xe0, text('JFIF\0'), u8(1, 1, 0, 0, 1, 0, 1, 0, 0)),
    segment(0xdb, u8(0), Buffer.alloc(64, 1)),
    segment(0xc0, u8(8), u16(height), u16(width), u8(1, 1, 0x11, 0)),
    codes(0x00),
    codes(0x10),
    segment(0xda, u8(1, 1, 0x00, 0, 63, 0)),
    scan,
    u8(0xff, 0xd9),
  ])
}

function makePng({ width, height }: Size): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const checked = Buffer.concat([text(type), content])
    return Buffer.concat([u32(content.length), checked, u32(crc32(checked))])
  }
  return Buffer.concat([
    u8(0x89),
    text('PNG\r\n\x1a\n'),
    chunk('IHDR', Buffer.concat([u32(width), u32(height), u8(8, 0, 0, 0, 0)])),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Not compressed: the code table is cleared before it would ask for longer codes than a byte. */
function makeGif({ width, height }: Size): Buffer {
  const CLEAR = 0x80
  const END = 0x81
  const codes = [CLEAR]
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (pixel > 0 && pixel % 100 === 0) codes.push(CLEAR)
    codes.push(0)
  }
  codes.push(END)
  const blocks: Buffer[] = []
  for (let at = 0; at < codes.length; at += 255) {
    const block = Buffer.from(codes.slice(at, at + 255))
    blocks.push(u8(block.length), block)
  }
  const size = Buffer.concat([littleEndian(u16(width)), littleEndian(u16(height))])

  return Buffer.concat([
    text('GIF89a'),
    size,
    u8(0xf6, 0, 0),
    Buffer.alloc(128 * 3, 0x55),
    u8(0x2c, 0, 0, 0, 0),
    size,
    u8(0, 7),
    ...blocks,
    u8(0, 0x3b),
  ])
}

const riffChunk = (type: string, content: Buffer) =>
  Buffer.concat([text(type), littleEndian(u32(content.length)), content, Buffer.alloc(content.length % 2)])

const makeWebp = (...chunks: Buffer[]) => riffChunk('RIFF', Buffer.concat([text('WEBP'), ...chunks]))

/** Five codes that know one symbol each, so that no pixel takes a single bit. */
function losslessChunk({ width, height }: Size): Buffer {
  const ONE_SYMBOL = [
    [1, 1],
    [0, 1],
    [1, 1],
    [32, 8],
  ] as const
  const fields = [
    [0x2f, 8],
    [width - 1, 14],
    [height - 1, 14],
    [0, 1 + 3],
    [0, 1 + 1 + 1],
    ...Array.from({ length: 5 }, () => ONE_SYMBOL).flat(),
  ] as const

  return riffChunk('VP8L', packBits(fields, 'lowest'))
}

/** Nothing but zeros behind the header: each macroblock is predicted, and nothing is left to correct. */
function lossyChunk({ width, height }: Size): Buffer {
  const partition = 64 + Math.ceil(width / 16) * Math.ceil(height / 16) * 32
  const tag = littleEndian(u32((partition << 5) | (1 << 4))).subarray(0, 3)
  const size = Buffer.concat([littleEndian(u16(width)), littleEndian(u16(height))])

  return riffChunk('VP8 ', Buffer.concat([tag, u8(0x9d, 0x01, 0x2a), size, Buffer.alloc(2 * partition)]))
}

function extendedChunk({ width, height }: Size): Buffer {
  const less = (side: number) => littleEndian(u32(side - 1)).subarray(0, 3)
  return riffChunk('VP8X', Buffer.concat([Buffer.alloc(4), less(width), less(height)]))
}

/** A box of the ISO base media file format. */
export const box = (type: string, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([u32(content.length + 8), text(type), content])
}

const fullBox = (type: string, flags: number, ...parts: Buffer[]) => box(type, u32(flags), ...parts)

/** A still frame of AV1 in a single colour, without a picture header. */
function av1Frame({ width, height }: Size) {
  const unit = (type: number, content: Buffer) => {
    const length = content.length
    return Buffer.concat([u8((type << 3) | 2, (length & 0x7f) | 0x80, length >> 7), content])
  }
  const sequence = packBits(
    [
      [0, 3],
      [1, 1],
      [1, 1],
      [8, 5],
      [15, 4],
      [15, 4],
      [width - 1, 16],
      [height - 1, 16],
      [0, 6],
      [0, 1],
      [1, 1],
      [0, 1],
      [1, 1],
      [0, 1],
      [1, 1],
    ],
    'highest',
  )
  const columns = width > 64 ? 1 : 0
  const rows = height > 64 ? 1 : 0
  const picture = packBits(
    [
      [1, 1],
      [0, 1],
      [0, 1],
      [1, 1],
      [0, columns + rows],
      [100, 8],
      [0, 1 + 1 + 1],
      [0, 1],
      [0, 6 + 6 + 3 + 1],
      [0, 1],
      [0, 1],
    ],
    'highest',
  )
  return { sequence: unit(1, sequence), frame: unit(6, Buffer.concat([picture, Buffer.alloc(64)])) }
}

function makeAvif(size: Size): Buffer {
  const { sequence, frame } = av1Frame(size)
  const data = Buffer.concat([sequence, frame])
  const brands = box('ftyp', text('avif'), u32(0), text('avifmif1miaf'))
  const metaWith = (offset: number) =>
    fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, u32(0), text('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, u16(1)),
      fullBox('iloc', 0, u8(0x44, 0), u16(1), u16(1), u16(0), u16(1), u32(offset), u32(data.length)),
      fullBox('iinf', 0, u16(1), fullBox('infe', 0x2000000, u16(1), u16(0), text('av01\0'))),
      box(
        'iprp',
        box(
          'ipco',
          fullBox('ispe', 0, u32(size.width), u32(size.height)),
          fullBox('pixi', 0, u8(1, 8)),
          box('av1C', u8(0x81, 0x08, 0x1c, 0), sequence),
        ),
        fullBox('ipma', 0, u32(1), u16(1), u8(3, 1, 2, 0x83)),
      ),
    )
  const offset = brands.length + metaWith(0).length + 8

  return Buffer.concat([brands, metaWith(offset), box('mdat', data)])
}

const MAKERS: Record<ImageFormat, (size: Size) => Buffer> = {
  jpeg: makeJpeg,
  png: makePng,
  gif: makeGif,
  webp: (size) => makeWebp(losslessChunk(size)),
  'webp-lossy': (size) => makeWebp(lossyChunk(size)),
  'webp-extended': (size) => makeWebp(extendedChunk(size), losslessChunk(size)),
  avif: makeAvif,
}

export const IMAGE_FORMATS = ['jpeg', 'png', 'gif', 'webp', 'webp-lossy', 'webp-extended', 'avif'] as const

/** A valid image of one colour, as small as its format allows. */
export function makeImage(format: ImageFormat, size: Size = { width: 16, height: 9 }): Buffer {
  return MAKERS[format](size)
}
