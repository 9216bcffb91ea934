/** Characters that are invisible or reverse others. Joiners and variant marks after a picture belong to an emoji. */
const UNSEEN =
  /(?<!\p{ExtPict}|\p{EMod}|\ufe0f)(?:\u200d|\ufe0e|\ufe0f)|(?!\u200d|\ufe0e|\ufe0f)\p{DI}|[\p{Cc}\p{Cs}]/gu

/** True when a text has a visible character. */
export const isVisible = (text: string): boolean => /[^\s\p{Z}\p{C}\p{DI}\u2800]/u.test(text)

/** True when every character of a text is visible, as in a name. Spaces count as visible. */
export const isAllVisible = (text: string): boolean => isVisible(text) && text.search(UNSEEN) < 0

/** Removes invisible characters from a name. */
export function withoutUnseen(name: string): string {
  const seen = name.replace(/[\t\r\n]+/g, ' ').replace(UNSEEN, '')
  return isVisible(seen) ? seen : ''
}
