const SIGNATURES = [
  { type: 'image/jpeg', at: 0, text: '\xff\xd8\xff' },
  { type: 'image/png', at: 0, text: '\x89PNG\r\n\x1a\n' },
  { type: 'image/gif', at: 0, text: 'GIF8' },
  { type: 'image/webp', at: 8, text: 'WEBP' },
  { type: 'image/avif', at: 4, text: 'ftypavif' },
  { type: 'image/avif', at: 4, text: 'ftypavis' },
] as const

export type ImageType = (typeof SIGNATURES)[number]['type']

/** As many bytes of the beginning as tell the type. */
export const HEAD_BYTES = 12

/** The media type of an accepted image by its signature, in Latin-1; undefined for other bytes. */
export const detectImageType = (head: Buffer): ImageType | undefined =>
  SIGNATURES.find(({ at, text }) => head.toString('latin1', at, at + text.length) === text)?.type
