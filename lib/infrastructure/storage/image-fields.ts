/** The fields of games, characters and proposals that hold images. */
export const IMAGE_FIELDS = ['cover', 'screenshots', 'artworks', 'mugShot']

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  return Array.isArray(value) ? value.map((item) => mapTexts(item, map)) : value
}

/** Replaces every image among the fields of an entry or a proposal: keys by addresses, or addresses by keys. */
export function mapImages<F extends object>(fields: F, map: (image: string) => string): F {
  const entries = Object.entries(fields)
  const mapped = entries.map(([name, value]) => [name, IMAGE_FIELDS.includes(name) ? mapTexts(value, map) : value])
  // Texts are replaced by texts.
  return Object.fromEntries(mapped) as F
}
