import type { Image } from './images.ts'

type Size = Pick<Image, 'width' | 'height'>

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
export function readAvifSize(bytes: Buffer): Size | undefined {
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
