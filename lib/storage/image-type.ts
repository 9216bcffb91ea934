interface Signature {
  type: string
  at: number
  /** In Latin-1. */
  text: string
}

const SIGNATURES: readonly Signature[] = [
  { type: 'image/jpeg', at: 0, text: '\xff\xd8\xff' },
  { type: 'image/png', at: 0, text: '\x89PNG\r\n\x1a\n' },
  { type: 'image/gif', at: 0, text: 'GIF8' },
  { type: 'image/webp', at: 8, text: 'WEBP' },
  { type: 'image/avif', at: 4, text: 'ftypavif' },
  { type: 'image/avif', at: 4, text: 'ftypavis' },
]

/** As many bytes of the beginning as tell the type. */
export const HEAD_BYTES = 12

/** The media type of a stored image; what is none is nothing that a browser would show or run. */
export function detectImageType(head: Buffer): string {
  const found = SIGNATURES.find(({ at, text }) => head.toString('latin1', at, at + text.length) === text)
  return found?.type ?? 'application/octet-stream'
}
