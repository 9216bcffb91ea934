/**
 * Characters that show nothing or turn others round, lone surrogates and control characters. Joiners and variants that
 * follow a picture are parts of an emoji.
 */
const UNSEEN =
  /(?<!\p{ExtPict}|\p{EMod}|\ufe0f)(?:\u200d|\ufe0e|\ufe0f)|(?!\u200d|\ufe0e|\ufe0f)\p{DI}|[\p{Cc}\p{Cs}]/gu

/** Whether a text shows anything. */
export const isVisible = (text: string): boolean => /[^\s\p{Z}\p{C}\p{DI}\u2800]/u.test(text)

/** Whether all of a text shows, as in a name; spaces do. */
export const isAllVisible = (text: string): boolean => isVisible(text) && text.search(UNSEEN) < 0

/** A name without what does not show; empty where nothing is left. */
export function withoutUnseen(name: string): string {
  const seen = name.replace(/[\t\r\n]+/g, ' ').replace(UNSEEN, '')
  return isVisible(seen) ? seen : ''
}
