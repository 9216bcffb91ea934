const SIGNATURES = [
  { type: 'image/jpeg', at: 0, text: '\xff\xd8\xff' },
  { type: 'image/png', at: 0, text: '\x89PNG\r\n\x1a\n' },
  { type: 'image/gif', at: 0, text: 'GIF8' },
  { type: 'image/webp', at: 8, text: 'WEBP' },
] as const

export type ImageType = (typeof SIGNATURES)[number]['type'] | 'image/avif'

/** The number of first bytes that determine the type. An AVIF may list 60 brands. */
export const HEAD_BYTES = 256

/** The brands that a file of boxes names: the major one, then, behind its version, the compatible ones. */
function listBrands(head: Buffer): string[] {
  if (head.length < 12 || head.toString('latin1', 4, 8) !== 'ftyp') return []
  const words = head.toString('latin1', 8, Math.min(head.readUInt32BE(0), HEAD_BYTES)).match(/.{4}/gs) ?? []
  return words.filter((_, index) => index !== 1)
}

/** Detects the media type of an accepted image by its signature, in Latin-1; undefined for other bytes. */
export function detectImageType(head: Buffer): ImageType | undefined {
  if (listBrands(head).some((brand) => brand === 'avif' || brand === 'avis')) return 'image/avif'
  return SIGNATURES.find(({ at, text }) => head.toString('latin1', at, at + text.length) === text)?.type
}
