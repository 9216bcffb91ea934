const TEXT_AND_FINAL = 0x81
const SHORT_MAX_BYTES = 125
const MEDIUM_MAX_BYTES = 0xffff

/** Frames a text as the one WebSocket frame in which a server sends it. */
export function frameText(text: string): Buffer {
  const bytes = Buffer.byteLength(text)
  const head = bytes <= SHORT_MAX_BYTES ? 2 : bytes <= MEDIUM_MAX_BYTES ? 4 : 10
  const frame = Buffer.allocUnsafe(head + bytes)
  frame[0] = TEXT_AND_FINAL
  if (head === 2) {
    frame[1] = bytes
  } else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(bytes, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(bytes), 2)
  }
  frame.write(text, head)
  return frame
}
