import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const BITS = 8
const TRUE_COLOR = 2

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Encodes a picture of opaque pixels as a PNG. */
export function encodePng(
  { width, height }: { width: number; height: number },
  colorAt: (column: number, row: number) => readonly [number, number, number],
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = BITS
  header[9] = TRUE_COLOR

  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc(height * (1 + width * 3))
  let at = 0
  for (let row = 0; row < height; row += 1) {
    at += 1
    for (let column = 0; column < width; column += 1) {
      const color = colorAt(column, row)
      rows[at] = color[0]
      rows[at + 1] = color[1]
      rows[at + 2] = color[2]
      at += 3
    }
  }
  return Buffer.concat([
    SIGNATURE,
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(rows)),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}
