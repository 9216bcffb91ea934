/** The scripts of names. An impostor mixes letters of two scripts that look alike. */
const SCRIPTS = `
  Adlam Arabic Armenian Balinese Bamum Batak Bengali Bopomofo Buginese Buhid Canadian_Aboriginal Chakma Cham
  Cherokee Coptic Cyrillic Devanagari Ethiopic Georgian Glagolitic Gothic Greek Gujarati Gurmukhi Hanunoo Hebrew
  Javanese Kannada Kayah_Li Khmer Lao Lepcha Limbu Lisu Malayalam Mandaic Meetei_Mayek Miao Mongolian Myanmar
  New_Tai_Lue Newa Nko Ogham Ol_Chiki Oriya Osage Rejang Runic Samaritan Saurashtra Sinhala Sundanese
  Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Yi
`
  .trim()
  .split(/\s+/)
/** Scripts that Japanese and Korean mix. */
const WRITTEN_TOGETHER = [
  ['Han', 'Hiragana', 'Katakana', 'Latin'],
  ['Hangul', 'Latin'],
]

const inScripts = (scripts: readonly string[]) =>
  new RegExp(`^[\\P{L}${['Common', ...scripts].map((script) => `\\p{scx=${script}}`).join('')}]*$`, 'u')

const PATTERNS = [...WRITTEN_TOGETHER, ...SCRIPTS.map((script) => [script])].map(inScripts)

/** True when all letters of a text belong to one script, or to scripts that are written together. */
export const isOfOneScript = (text: string): boolean => PATTERNS.some((pattern) => pattern.test(text))
